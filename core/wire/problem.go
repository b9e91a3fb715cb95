package wire

import (
	"errors"
	"fmt"

	"logzlab/core/problem"
)

// maxNested is the greatest depth of nested errors that are encoded as errors.
const maxNested = 16

// Problem appends an error that keeps its code and arguments, so that the page can translate it: the code, then each
// argument, a string or an error in turn. An empty code followed by a string encodes errors of other packages and those
// nested too deeply.
func (w *Writer) Problem(err error) { w.place(err, maxNested) }

// place appends an argument: a string or an error.
func (w *Writer) place(x any, deep int) {
	err, _ := x.(error)
	var p *problem.Error
	if deep == 0 || !errors.As(err, &p) || p.Error() != err.Error() { // a wrapper that adds words is sent as a string
		w.String("")
		w.String(fmt.Sprint(x))
		return
	}
	w.String(p.Code)
	for _, a := range p.Args {
		w.place(a, deep-1)
	}
}

// Problem decodes an error that Writer.Problem encoded; Err is set if it is corrupt.
func (r *Reader) Problem() error {
	x := r.place(maxNested)
	if err, ok := x.(error); ok {
		return err
	}
	return errors.New(x.(string))
}

// place decodes a string or an error.
func (r *Reader) place(deep int) any {
	code := r.String()
	if code == "" {
		return r.String()
	}
	p := &problem.Error{Code: code}
	for range problem.Placeholders(code) {
		if deep == 0 || r.Err != nil {
			r.Err = ErrDamaged
			break
		}
		p.Args = append(p.Args, r.place(deep-1))
	}
	return p
}
