package problem

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

// The English text equals that of fmt.Errorf, whatever the verbs.
func TestErrorMatchesErrorf(t *testing.T) {
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
			t.Errorf("New(%q).Error() = %q, want %q", c.code, got, want)
		}
		if Placeholders(c.code) != len(c.args) {
			t.Errorf("Placeholders(%q) = %d, want %d", c.code, Placeholders(c.code), len(c.args))
		}
	}
}

func TestUnwrap(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("outside: %w", New("row %d: %v", 2, New("entry %d: %w", 3, io.EOF)))
	if !errors.Is(err, io.EOF) {
		t.Error("errors.Is does not find the innermost error")
	}
	var e *Error
	if !errors.As(err, &e) || e.Code != "row %d: %v" || e.Args[0] != "2" {
		t.Errorf("errors.As(%v) = %+v", err, e)
	}
}

// Corrupt codes, as they may arrive in messages, still have a text.
func TestCorruptCode(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"%", "5 %", "%%", "%9", "a%é"} {
		e := &Error{Code: code, Args: make([]any, Placeholders(code))}
		for i := range e.Args {
			e.Args[i] = "x"
		}
		if e.Error() == "" {
			t.Errorf("the error with code %q has an empty text", code)
		}
	}
}
