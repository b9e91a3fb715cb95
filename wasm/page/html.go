package page

import "strings"

// The page's markup is made here and painted by site/view.js, which changes only
// what differs. Text and attribute values are always escaped.

// HTML is markup that is safe to paint.
type HTML string

// escape makes a string safe in text and in attribute values.
func escape(s string) string {
	if !strings.ContainsAny(s, `&<>"`) {
		return s
	}
	var b []byte
	for i := range len(s) {
		switch c := s[i]; c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&quot;"...)
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

// text is a string as markup.
func text(s string) HTML { return HTML(escape(s)) }

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

// attributes are markup as it stands, and names and values in turn.
type attributes struct {
	fixed string
	pairs []string
}

// at is attributes: constant ones as markup with a space before each, then pairs whose values are
// escaped. (Markup compiles to a tenth of the code of pairs.)
func at(fixed string, pairs ...string) attributes { return attributes{fixed, pairs} }

// el is an element with its children.
func el(name string, a attributes, kids ...HTML) HTML {
	var b strings.Builder
	b.WriteString("<" + name + a.fixed)
	for i := 0; i+1 < len(a.pairs); i += 2 {
		if v := a.pairs[i+1]; v != absent {
			b.WriteString(" " + a.pairs[i] + `="` + escape(v) + `"`)
		}
	}
	b.WriteString(">")
	if name == "input" {
		return HTML(b.String())
	}
	for _, k := range kids {
		b.WriteString(string(k))
	}
	b.WriteString("</" + name + ">")
	return HTML(b.String())
}

// tag is an element without attributes.
func tag(name string, kids ...HTML) HTML { return el(name, attributes{}, kids...) }

// icon draws a symbol of index.html.
func icon(id, class string) HTML {
	return HTML(`<svg class="` + class + `" aria-hidden="true"><use href="#` + id + `"></use></svg>`)
}

// mark is the mark of the i-th method: shape and colour, in the order of the list.
func mark(i int) HTML {
	m := string(rune('0' + i%3))
	return icon("m-"+m, "m m-"+m)
}

// logZ is the symbol.
const logZ = HTML(`<span class="math">log <i>Z</i></span>`)

// button is a word that sends an event.
func button(class, event, value string, kids ...HTML) HTML {
	return el("button", at(` type="button"`, "class", class, "data-event", event, "data-value", value), kids...)
}
