package workerapi

import "logzlab/core/wire"

// Names of the two programs.
const (
	Compiler = "compiler"
	Reader   = "external"
)

// Compile asks for a tape.
type Compile struct {
	N                  int // counts the orders
	Name, Source, Data string
	Link               string // a packed program with its data, in place of these
}

// Compiled is what became of an order.
type Compiled struct {
	Compile    // with the texts that a link had packed; Link is "" where texts are too long for one
	Parameters []string
	Notes      []error // what a reader must know

	Err          error // why there is no tape
	Line, Column int   // where, from 1; 0: no place in the program
	Excerpt      string
}

// Ending is that of the files of tapes.
const Ending = ".tape"

// Append encodes the order.
func (o *Compile) Append(w *wire.Writer) {
	w.Int(o.N)
	w.String(o.Name)
	w.String(o.Source)
	w.String(o.Data)
	w.String(o.Link)
}

// Decode decodes an order.
func (o *Compile) Decode(r *wire.Reader) {
	*o = Compile{N: r.Int(), Name: r.String(), Source: r.String(), Data: r.String(), Link: r.String()}
}

// Append encodes the answer.
func (a *Compiled) Append(w *wire.Writer) {
	a.Compile.Append(w)
	w.Uint(uint64(len(a.Parameters)))
	for _, name := range a.Parameters {
		w.String(name)
	}
	w.Uint(uint64(len(a.Notes)))
	for _, n := range a.Notes {
		w.Problem(n)
	}
	appendErr(w, a.Err)
	w.Int(a.Line)
	w.Int(a.Column)
	w.String(a.Excerpt)
}

// Decode decodes an answer.
func (a *Compiled) Decode(r *wire.Reader) {
	a.Compile.Decode(r)
	for range r.Length(1) {
		a.Parameters = append(a.Parameters, r.String())
	}
	for range r.Length(1) {
		a.Notes = append(a.Notes, r.Problem())
	}
	a.Err, a.Line, a.Column, a.Excerpt = readErr(r), r.Int(), r.Int(), r.String()
}

// appendErr encodes an error, or that there is none.
func appendErr(w *wire.Writer, err error) {
	if w.Bool(err != nil); err != nil {
		w.Problem(err)
	}
}

func readErr(r *wire.Reader) error {
	if !r.Bool() {
		return nil
	}
	return r.Problem()
}
