package html

import "strings"

// HTML is safe markup.
type HTML string

// Escape escapes a string for use as text and as attribute value.
func Escape(s string) string {
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

// Text returns a string as markup.
func Text(s string) HTML { return HTML(Escape(s)) }

// Absent is the value of an attribute that El omits.
const Absent = "\x00"

// When returns the value of a boolean attribute.
func When(on bool) string {
	if on {
		return ""
	}
	return Absent
}

// Yes returns the value of an aria attribute.
func Yes(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// At returns its arguments: names and values of attributes in turn.
func At(pairs ...string) []string { return pairs }

// El returns an element with its children. start is the verbatim content of the start tag: the name, and attributes
// with constant values. The values in pairs are escaped.
func El(start string, pairs []string, kids ...HTML) HTML {
	var b strings.Builder
	b.WriteString("<" + start)
	for i := 0; i+1 < len(pairs); i += 2 {
		if v := pairs[i+1]; v != Absent {
			b.WriteString(" " + pairs[i] + `="` + Escape(v) + `"`)
		}
	}
	b.WriteString(">")
	name, _, _ := strings.Cut(start, " ")
	if name == "input" {
		return HTML(b.String())
	}
	for _, k := range kids {
		b.WriteString(string(k))
	}
	b.WriteString("</" + name + ">")
	return HTML(b.String())
}

// Tag returns an element without variable attributes.
func Tag(start string, kids ...HTML) HTML { return El(start, nil, kids...) }

// TagText returns a Tag around a text.
func TagText(start, s string) HTML { return Tag(start, Text(s)) }

// Icon returns a symbol defined in index.html.
func Icon(id, class string) HTML {
	return El("svg", At("class", class, "aria-hidden", "true"), El("use", At("href", "#"+id)))
}

// Marks is the number of methods with a mark of their own (symbols in index.html, colours in style/base.css).
const Marks = 9

// Mark returns the mark of method i: shape and colour.
func Mark(i int) HTML {
	m := string(rune('0' + i%Marks))
	return Icon("m-"+m, "m m-"+m)
}

// LogZ is the symbol log Z.
const LogZ = HTML(`<span class="math">log <i>Z</i></span>`)

// LogP is the symbol log p, the log probability of a drawing.
const LogP = HTML(`<span class="math">log <i>p</i></span>`)

// LogZOf returns the symbol of log Z with a subscript, such as log Z_n.
func LogZOf(part string) HTML {
	return Tag(`span class="math"`, HTML("log <i>Z</i>"), TagText("sub", part))
}

// Button returns a button that sends an event.
func Button(class, event, value string, kids ...HTML) HTML {
	return El(`button type="button"`, At("class", class, "data-event", event, "data-value", value), kids...)
}
