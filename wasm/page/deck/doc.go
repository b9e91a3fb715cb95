// Package deck parses the text file of a lecture: a title, and steps separated by blank lines, each with its link,
// sentence, control, question and notes. site/docs/decks.md describes the format for teachers.
//
//  1. deck.go: the types, and limits on their size
//  2. parse.go: the parser, which reports every error of a file with its line number
//
// This package must not interpret links or controls: the page checks them.
package deck
