package html

import "strings"

// HTML is markup that is safe to paint.
type HTML string

// Escape makes a string safe in text and in attribute values.
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

// Text is a string as markup.
func Text(s string) HTML { return HTML(Escape(s)) }

// Absent is the value of an attribute that is left out.
const Absent = "\x00"

// When is the value of a boolean attribute.
func When(on bool) string {
	if on {
		return ""
	}
	return Absent
}

// Yes is the value of an aria attribute.
func Yes(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// At is names and values of attributes in turn.
func At(pairs ...string) []string { return pairs }

// El is an element with its children. start is what stands in its start tag as it is: the name, and attributes that
// never change. The values of the others are escaped.
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

// Tag is an element whose attributes never change.
func Tag(start string, kids ...HTML) HTML { return El(start, nil, kids...) }

// TagText is a tag around a text.
func TagText(start, s string) HTML { return Tag(start, Text(s)) }

// Icon draws a symbol of index.html.
func Icon(id, class string) HTML {
	return El("svg", At("class", class, "aria-hidden", "true"), El("use", At("href", "#"+id)))
}

// Marks is how many methods have marks of their own (symbols of index.html, colours of style/base.css).
const Marks = 9

// Mark is the mark of the i-th method: shape and colour, in the order of the list.
func Mark(i int) HTML {
	m := string(rune('0' + i%Marks))
	return Icon("m-"+m, "m m-"+m)
}

// LogZ is the symbol.
const LogZ = HTML(`<span class="math">log <i>Z</i></span>`)

// LogP is the symbol of the log probability of a drawing.
const LogP = HTML(`<span class="math">log <i>p</i></span>`)

// LogZOf is the symbol of log Z with a subscript, as log Z_n.
func LogZOf(part string) HTML {
	return Tag(`span class="math"`, HTML("log <i>Z</i>"), TagText("sub", part))
}

// Button is a word that sends an event.
func Button(class, event, value string, kids ...HTML) HTML {
	return El(`button type="button"`, At("class", class, "data-event", event, "data-value", value), kids...)
}
