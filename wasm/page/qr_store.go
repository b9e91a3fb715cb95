package page

import "logzlab/render/html"

// qrStore keeps the codes that are on show.
type qrStore map[string]html.QR

// draw has the codes of some texts, and no others.
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
