package problem

import (
	"fmt"
	"strings"
)

// Error is an error that people may read. Its code is its English format, as in
// "%s is given twice; leave one out"; translations are found by it.
type Error struct {
	Code string
	Args []any // for each place of the code a string, formatted by its verb, or an error
}

// New is an error with a code and what stands in its places, as in fmt.Errorf. Errors
// among args are kept as values, and errors.Is and errors.As find them, whatever the
// verb. A phrase that needs a translation of its own, with places, may be such an error
// too. The code must not hold %%.
func New(code string, args ...any) error {
	if false {
		_ = fmt.Errorf(code, args...) // so that go vet compares verbs and args
	}
	e := &Error{Code: code}
	rest := code
	for _, a := range args {
		_, verb, after := cut(rest)
		if _, ok := a.(error); !ok {
			a = fmt.Sprintf(verb, a)
		}
		e.Args, rest = append(e.Args, a), after
	}
	return e
}

// Counted is one of two phrases, as 1 run and 2 runs.
func Counted(n int, one, many error) error {
	if n == 1 {
		return one
	}
	return many
}

// Error is the English text.
func (e *Error) Error() string {
	var b strings.Builder
	rest := e.Code
	for _, a := range e.Args {
		literal, _, after := cut(rest)
		fmt.Fprint(&b, literal, a)
		rest = after
	}
	return b.String() + rest
}

// Unwrap lists the errors among the arguments.
func (e *Error) Unwrap() []error {
	var inner []error
	for _, a := range e.Args {
		if err, ok := a.(error); ok {
			inner = append(inner, err)
		}
	}
	return inner
}

// Places counts the places (%s, %d, %.0f ...) of a code.
func Places(code string) int { return strings.Count(code, "%") }

// cut splits a code at its first place.
func cut(code string) (literal, verb, rest string) {
	at := strings.IndexByte(code, '%')
	if at < 0 {
		return code, "", ""
	}
	end := at + 1 + strings.IndexFunc(code[at+1:], func(c rune) bool { return 'a' <= c && c <= 'z' }) + 1
	if end == at+1 {
		end = len(code) // cut short: no letter follows
	}
	return code[:at], code[at:end], code[end:]
}
