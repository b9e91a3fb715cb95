package page

import "logzlab/render/html"

// qrStore caches the QR codes on show.
type qrStore map[string]html.QR

// draw returns the codes of some texts, and drops all others.
func (all *qrStore) draw(texts []string) map[string]html.QR {
	now := qrStore{}
	for _, text := range texts {
		code, drawn := (*all)[text]
		if !drawn {
			code = html.NewQR(text)
		}
		now[text] = code
	}
	*all = now
	return now
}
