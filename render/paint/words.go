package paint

import (
	"strings"

	"logzlab/render/vocabulary"
)

// Say translates an English word of the canvas; a number at its end stays.
func (a *Area) Say(english string) string {
	if SayHook != nil {
		SayHook(english)
	}
	if s, ok := a.Words[english]; ok {
		return s
	}
	word, number := vocabulary.Stem(english)
	if s, ok := a.Words[word]; ok {
		return s + number
	}
	return english
}

// SayHook is called with every word before it is translated, unless it is nil. A test compares the words with the vocabulary.
var SayHook func(english string)

// MethodLabel returns the page's name of a method, by default its name in capitals.
func (a *Area) MethodLabel(name string) string {
	if label, ok := a.Words[name]; ok {
		return label
	}
	return strings.ToUpper(name)
}
