package stan

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"io"

	"logzlab/core/problem"
	"logzlab/core/wire"
)

// Text is a program with its data as typed, and a name.
type Text struct{ Name, Source, Data string }

const (
	maxLinkLength    = 2048    // largest number of characters of a packed program
	maxUnpackedBytes = 1 << 20 // largest number of bytes after unpacking
)

// Pack encodes the text for a link, or returns "" if it is too long.
func (t Text) Pack() string {
	var texts wire.Writer
	texts.String(t.Name)
	texts.String(t.Source)
	texts.String(t.Data)
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return ""
	}
	if _, err := z.Write(texts.B); err != nil || z.Close() != nil {
		return ""
	}
	if base64.RawURLEncoding.EncodedLen(out.Len()) > maxLinkLength {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// Unpack decodes the text of a link.
func Unpack(link string) (t Text, err error) {
	errDamaged := problem.New("view.program is damaged or incomplete; copy the whole link again")
	packed, err := base64.RawURLEncoding.DecodeString(link)
	if err != nil {
		return t, errDamaged
	}
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxUnpackedBytes))
	r := wire.Reader{B: b}
	t = Text{r.String(), r.String(), r.String()}
	if err != nil || r.Err != nil || len(r.B) > 0 {
		return Text{}, errDamaged
	}
	return t, nil
}

// Compile compiles the program, or the density of one expression, with its data.
func (t Text) Compile() (*Compiled, error) {
	p, err := Read(t.Source)
	if err != nil {
		return nil, err
	}
	return p.Compile([]byte(t.Data), nil)
}
