package page

import (
	"strconv"
	"strings"
)

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

// at is names and values of attributes in turn.
func at(pairs ...string) []string { return pairs }

// el is an element with its children. start is what stands in its start tag as it is: the name, and attributes that
// never change. The values of the others are escaped.
func el(start string, pairs []string, kids ...HTML) HTML {
	var b strings.Builder
	b.WriteString("<" + start)
	for i := 0; i+1 < len(pairs); i += 2 {
		if v := pairs[i+1]; v != absent {
			b.WriteString(" " + pairs[i] + `="` + escape(v) + `"`)
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

// tag is an element whose attributes never change.
func tag(start string, kids ...HTML) HTML { return el(start, nil, kids...) }

// tagText is a tag around a text.
func tagText(start, s string) HTML { return tag(start, text(s)) }

// icon draws a symbol of index.html.
func icon(id, class string) HTML {
	return el("svg", at("class", class, "aria-hidden", "true"), el("use", at("href", "#"+id)))
}

// marks is how many methods have marks of their own (symbols of index.html, colours of style.css).
const marks = 9

// mark is the mark of the i-th method: shape and colour, in the order of the list.
func mark(i int) HTML {
	m := string(rune('0' + i%marks))
	return icon("m-"+m, "m m-"+m)
}

// logZ is the symbol.
const logZ = HTML(`<span class="math">log <i>Z</i></span>`)

// logP is the symbol of the log probability of a drawing.
const logP = HTML(`<span class="math">log <i>p</i></span>`)

// logZOf is the symbol of log Z_n.
func logZOf(n int) HTML {
	return tag(`span class="math"`, HTML("log <i>Z</i>"), tagText("sub", strconv.Itoa(n)))
}

// button is a word that sends an event.
func button(class, event, value string, kids ...HTML) HTML {
	return el(`button type="button"`, at("class", class, "data-event", event, "data-value", value), kids...)
}
