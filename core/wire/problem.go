package wire

import (
	"errors"
	"fmt"

	"logzlab/core/problem"
)

// maxNested is the deepest error within an error that is sent as such.
const maxNested = 16

// Problem appends an error that keeps its code and arguments, so that the page can
// translate it: the code and what stands in each place, a text or an error in turn. A
// text follows an empty code, as do errors of other packages and those too deep.
func (w *Writer) Problem(err error) { w.place(err, maxNested) }

func (w *Writer) place(x any, deep int) {
	err, _ := x.(error)
	var p *problem.Error
	if deep == 0 || !errors.As(err, &p) || p.Error() != err.Error() { // a wrapper that adds words is a text
		w.String("")
		w.String(fmt.Sprint(x))
		return
	}
	w.String(p.Code)
	for _, a := range p.Args {
		w.place(a, deep-1)
	}
}

// Problem reads what Writer.Problem has written; the reader's Err is set if it is damaged.
func (r *Reader) Problem() error {
	x := r.place(maxNested)
	if err, ok := x.(error); ok {
		return err
	}
	return errors.New(x.(string))
}

// readPlace is a string or an error.
func (r *Reader) place(deep int) any {
	code := r.String()
	if code == "" {
		return r.String()
	}
	p := &problem.Error{Code: code}
	for range problem.Places(code) {
		if deep == 0 || r.Err != nil {
			r.Err = ErrShort
			break
		}
		p.Args = append(p.Args, r.place(deep-1))
	}
	return p
}
