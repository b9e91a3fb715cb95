// Package program is what the page and the compiler of programs (wasm/stan) send each other: an order, and its answer.
// The tape itself travels beside the answer, as a file.
//
// It must not know the language: the page's program does without the compiler.
package program

import "logzlab/core/wire"

// Order asks for a tape.
type Order struct {
	N                  int // counts the orders
	Name, Source, Data string
	Link               string // a packed program with its data, in place of these
}

// Answer is what became of an order.
type Answer struct {
	Order      // with the texts that a link had packed; Link is "" where texts are too long for one
	Parameters []string
	Notes      []error // what a reader must know

	Err          error // why there is no tape
	Line, Column int   // where, from 1; 0: no place in the program
	Excerpt      string
}

// Ending is that of the files of tapes.
const Ending = ".tape"

// Append encodes the order.
func (o *Order) Append(w *wire.Writer) {
	w.Int(o.N)
	w.String(o.Name)
	w.String(o.Source)
	w.String(o.Data)
	w.String(o.Link)
}

// Read decodes an order.
func (o *Order) Read(r *wire.Reader) {
	*o = Order{N: r.Int(), Name: r.String(), Source: r.String(), Data: r.String(), Link: r.String()}
}

// Append encodes the answer.
func (a *Answer) Append(w *wire.Writer) {
	a.Order.Append(w)
	w.Uint(uint64(len(a.Parameters)))
	for _, name := range a.Parameters {
		w.String(name)
	}
	w.Uint(uint64(len(a.Notes)))
	for _, n := range a.Notes {
		w.Problem(n)
	}
	if w.Bool(a.Err != nil); a.Err != nil {
		w.Problem(a.Err)
	}
	w.Int(a.Line)
	w.Int(a.Column)
	w.String(a.Excerpt)
}

// Read decodes an answer.
func (a *Answer) Read(r *wire.Reader) {
	a.Order.Read(r)
	for range r.Length(1) {
		a.Parameters = append(a.Parameters, r.String())
	}
	for range r.Length(1) {
		a.Notes = append(a.Notes, r.Problem())
	}
	if r.Bool() {
		a.Err = r.Problem()
	}
	a.Line, a.Column, a.Excerpt = r.Int(), r.Int(), r.String()
}
