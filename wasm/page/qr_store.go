package page

import "logzlab/render/html"

// qrStore caches the QR codes on show.
type qrStore map[string]html.QR

// draw returns the codes of some texts, and drops all others.
func (all *qrStore) draw(texts []string) map[string]html.QR {
	current := qrStore{}
	for _, text := range texts {
		code, cached := (*all)[text]
		if !cached {
			code = html.NewQR(text)
		}
		current[text] = code
	}
	*all = current
	return current
}
