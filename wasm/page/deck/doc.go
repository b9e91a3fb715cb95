// Package deck reads the text file of a lecture: a title, and steps apart by blank lines, each with its link, sentence,
// control, question and notes. site/docs/decks.md describes the file for teachers.
//
//  1. deck.go: what a deck holds, and how much
//  2. parse.go: from the file to a deck, or to all that is wrong in the file, by line
//
// It must not know what a link or a control means: the page judges both.
package deck
