package problem

import (
	"fmt"
	"strings"
)

// Error is a translatable error. Code is its English format string, such as "%s is given twice; leave one out";
// translations are looked up by it.
type Error struct {
	Code string
	Args []any // for each placeholder of Code: a string, already formatted by its verb, or an error
}

// New returns an error with a format string (its code) and arguments, like fmt.Errorf. Arguments that are errors are
// kept as values, so that errors.Is and errors.As find them with any verb. To translate a phrase within the text
// separately, make the phrase by New and pass it as an argument. The code must not contain %%.
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

// Plural returns one if n is 1 and many otherwise, as in "1 run" and "2 runs".
func Plural(n int, one, many error) error {
	if n == 1 {
		return one
	}
	return many
}

// Error returns the English text.
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

// Unwrap returns the errors among the arguments.
func (e *Error) Unwrap() []error {
	var inner []error
	for _, a := range e.Args {
		if err, ok := a.(error); ok {
			inner = append(inner, err)
		}
	}
	return inner
}

// Placeholders returns the number of placeholders (%s, %d, %.0f, ...) in a code.
func Placeholders(code string) int { return strings.Count(code, "%") }

// cut splits a code at its first placeholder.
func cut(code string) (literal, verb, rest string) {
	at := strings.IndexByte(code, '%')
	if at < 0 {
		return code, "", ""
	}
	end := at + 1 + strings.IndexFunc(code[at+1:], func(c rune) bool { return 'a' <= c && c <= 'z' }) + 1
	if end == at+1 {
		end = len(code) // truncated: no letter follows
	}
	return code[:at], code[at:end], code[end:]
}
