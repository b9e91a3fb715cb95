package paint

import (
	"strings"

	"logzlab/render/vocabulary"
)

// Say is an English word of the canvas in the language of the page; a number at its
// end stays.
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

// SayHook sees every word before the word is drawn. A test sets it and compares the words with the list.
var SayHook func(english string)

// MethodLabel is what the page calls a method; its name in capitals where the page has not said so.
func (a *Area) MethodLabel(name string) string {
	if label, ok := a.Words[name]; ok {
		return label
	}
	return strings.ToUpper(name)
}
