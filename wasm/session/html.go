package session

import "strings"

// The page's markup is made here and painted by site/view.js, which changes only
// what differs. Text and attribute values are always escaped.

// HTML is markup that is safe to paint.
type HTML string

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// text is a string as markup.
func text(s string) HTML { return HTML(escaper.Replace(s)) }

// absent is the value of an attribute that is left out.
const absent = "\x00"

// when is the value of a boolean attribute.
func when(on bool) string {
	if on {
		return ""
	}
	return absent
}

// yes is the value of an aria attribute.
func yes(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// attributes are names and values in turn.
type attributes []string

func at(pairs ...string) attributes { return pairs }

// el is an element with its children.
func el(name string, a attributes, kids ...HTML) HTML {
	var b strings.Builder
	b.WriteString("<" + name)
	for i := 0; i+1 < len(a); i += 2 {
		switch a[i+1] {
		case absent:
		case "":
			b.WriteString(" " + a[i])
			if strings.HasPrefix(a[i], "data-") || strings.HasPrefix(a[i], "aria-") || a[i] == "value" {
				b.WriteString(`=""`)
			}
		default:
			b.WriteString(" " + a[i] + `="` + escaper.Replace(a[i+1]) + `"`)
		}
	}
	b.WriteString(">")
	switch name {
	case "input", "path", "line", "use", "br":
		if name != "input" && name != "br" {
			b.WriteString("</" + name + ">")
		}
		return HTML(b.String())
	}
	for _, k := range kids {
		b.WriteString(string(k))
	}
	b.WriteString("</" + name + ">")
	return HTML(b.String())
}

// icon draws a symbol of index.html.
func icon(id, class string) HTML {
	return el("svg", at("class", class, "aria-hidden", "true"), el("use", at("href", "#"+id)))
}

// mark is the mark of the i-th method: shape and colour, in the order of the list.
func mark(i int) HTML {
	m := string(rune('0' + i%3))
	return icon("m-"+m, "m m-"+m)
}

// logZ is the symbol.
const logZ = HTML(`<span class="math">log <i>Z</i></span>`)

// button is a quiet word that sends an event.
func button(class, event, value string, kids ...HTML) HTML {
	return el("button", at("type", "button", "class", class, "data-event", event, "data-value", value), kids...)
}
