package wire

import (
	"errors"
	"fmt"

	"logzlab/core/problem"
)

// maxNested is the greatest depth of nested errors that are encoded as errors.
const maxNested = 16

// Problem appends an error. Errors of package problem keep their code and arguments, so that the page can translate
// them: the encoding is the code, then each argument, which is a string or an error encoded in the same way. Errors of
// other packages, and errors nested deeper than maxNested, are encoded as an empty code and their text.
func (w *Writer) Problem(err error) { w.argument(err, maxNested) }

// argument appends x, which is a string or an error; deep is the number of further levels of nesting that are allowed.
func (w *Writer) argument(x any, depth int) {
	err, _ := x.(error)
	var p *problem.Error
	if depth == 0 || !errors.As(err, &p) || p.Error() != err.Error() { // a wrapper that adds words is sent as a string
		w.String("")
		w.String(fmt.Sprint(x))
		return
	}
	w.String(p.Code)
	for _, a := range p.Args {
		w.argument(a, depth-1)
	}
}

// Problem decodes an error that Writer.Problem encoded; Err is set if it is corrupt.
func (r *Reader) Problem() error {
	x := r.argument(maxNested)
	if err, ok := x.(error); ok {
		return err
	}
	return errors.New(x.(string))
}

// argument decodes a string or an error that Writer.argument encoded.
func (r *Reader) argument(depth int) any {
	code := r.String()
	if code == "" {
		return r.String()
	}
	p := &problem.Error{Code: code}
	for range problem.Placeholders(code) {
		if depth == 0 || r.Err != nil {
			r.Err = ErrDamaged
			break
		}
		p.Args = append(p.Args, r.argument(depth-1))
	}
	return p
}
