package render

import (
	"logzlab/render/vocabulary"
	"strings"
)

// say is an English word of the canvas in the language of the page; a number at its
// end stays.
func (a *area) say(english string) string {
	if sayHook != nil {
		sayHook(english)
	}
	if s, ok := a.words[english]; ok {
		return s
	}
	word, number := vocabulary.Stem(english)
	if s, ok := a.words[word]; ok {
		return s + number
	}
	return english
}

// sayHook, if set, sees every word before it is drawn: tests check it against the list.
var sayHook func(english string)

// methodLabel is what the page calls a method; its name in capitals where the page has not said so.
func (a *area) methodLabel(name string) string {
	if label, ok := a.words[name]; ok {
		return label
	}
	return strings.ToUpper(name)
}
