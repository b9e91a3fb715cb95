package lang

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"logzlab/core/problem"
)

// Error is an error in a program, with its position.
type Error struct {
	Line, Column int    // both counted from 1; columns count characters
	Excerpt      string // the line of the program, and a caret on the next line
	Err          error  // the problem, which names line and column
}

// Error is the text with its line and a caret.
func (e *Error) Error() string { return e.Err.Error() + "\n" + e.Excerpt }

// Unwrap returns the error with line and column, without the excerpt.
func (e *Error) Unwrap() error { return e.Err }

// failure is the panic that ends parsing or lowering. Recover turns it into an error at the boundary of the package.
type failure struct {
	at  int // byte position in the program; -1: none
	err error
}

// Fail ends the compilation with an error at a byte position of the program; -1: without position.
func Fail(at int, err error) { panic(failure{at, err}) }

// Recover sets err to the error of Fail; call it deferred. Any other panic is reported as a fault of the compiler.
func Recover(source string, err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = locate(source, r.at, r.err)
	default:
		*err = problem.New("the compiler of Stan programs failed (%v); please report it with the program",
			fmt.Sprint(r))
	}
}

// locate adds line, column and an excerpt of the source to an error.
func locate(source string, at int, err error) error {
	if at < 0 {
		return err
	}
	at = min(at, len(source))
	start := strings.LastIndexByte(source[:at], '\n') + 1
	text, _, _ := strings.Cut(source[start:], "\n")
	e := &Error{Line: strings.Count(source[:start], "\n") + 1, Column: utf8.RuneCountInString(source[start:at]) + 1}
	e.Err = problem.New("line %d, column %d: %w", e.Line, e.Column, err)
	e.Excerpt = excerpt(strings.TrimRight(text, "\r"), e.Line, at-start)
	return e
}

// excerpt returns a source line, shortened if it is long, with a caret below position at.
func excerpt(text string, line, at int) string {
	const maxWidth = 100
	at = min(at, len(text))
	from := 0
	if at > maxWidth*3/4 {
		for from = at - maxWidth/2; from < at && !utf8.RuneStart(text[from]); {
			from++
		}
	}
	to := min(len(text), from+maxWidth)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	head := fmt.Sprintf("%6d | ", line)
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text[from:at])
	return head + text[from:to] + "\n" + strings.Repeat(" ", len(head)-2) + "| " + blank + "^"
}
