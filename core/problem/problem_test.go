package problem

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// The English text is that of fmt.Errorf, whatever the verbs.
func TestTextOfErrorf(t *testing.T) {
	t.Parallel()
	inner := New("entry %d: %w", 3, io.EOF)
	for _, c := range []struct {
		code string
		args []any
	}{
		{"nothing to fill in", nil},
		{"%s is given twice", []any{"seed"}},
		{"%q at byte %d", []any{"\x00", 7}},
		{"%d units may make %.0f particles", []any{4, 1e7}},
		{"%v and %v, not %5.2f%s", []any{1e9, .5, 3.14159, ""}},
		{"row %d: %w", []any{2, inner}},
		{"damaged (%v); save it again", []any{inner}},
		{"%s = %v is 5 percent", []any{inner, "%d"}},
	} {
		want := fmt.Errorf(c.code, c.args...).Error()
		if got := New(c.code, c.args...).Error(); got != want {
			t.Errorf("%q gives %q, want %q", c.code, got, want)
		}
		if Places(c.code) != len(c.args) {
			t.Errorf("%q has %d places, want %d", c.code, Places(c.code), len(c.args))
		}
	}
}

func TestInnerErrorsAreFound(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("outside: %w", New("row %d: %v", 2, New("entry %d: %w", 3, io.EOF)))
	if !errors.Is(err, io.EOF) {
		t.Error("the innermost error is lost")
	}
	var e *Error
	if !errors.As(err, &e) || e.Code != "row %d: %v" || e.Args[0] != "2" {
		t.Errorf("%v gives %+v", err, e)
	}
}

// Codes that come damaged from outside have a text too.
func TestDamagedCode(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"%", "5 %", "%%", "%9", "a%é"} {
		e := &Error{Code: code, Args: make([]any, Places(code))}
		for i := range e.Args {
			e.Args[i] = "x"
		}
		if e.Error() == "" {
			t.Errorf("%q has no text", code)
		}
	}
}
