package html

import (
	"strings"

	"rsc.io/qr/coding"
)

// QR is the QR code of a text: its size in cells, and the black cells as an SVG path. It is zero if the text is too
// long.
type QR struct {
	Size int
	Path string
}

// NewQR encodes a text at error correction level L, as bytes.
func NewQR(s string) QR {
	data := coding.String(s)
	for v := coding.Version(coding.MinVersion); v <= coding.MaxVersion; v++ {
		if data.Bits(v) > v.DataBytes(coding.L)*8 {
			continue
		}
		plan, err := coding.NewPlan(v, coding.L, 0)
		if err != nil {
			return QR{}
		}
		code, err := plan.Encode(data)
		if err != nil {
			return QR{}
		}
		var path strings.Builder
		Blocks(&path, 0, 0, code.Size, code.Size, code.Black)
		return QR{code.Size, path.String()}
	}
	return QR{}
}
