package main

import (
	"errors"

	"logzlab/core/workerapi"
	"logzlab/models/stan"
	"logzlab/models/stan/lang"
)

// compile handles a request. It returns the answer and the tape's file, nil if there is none.
func compile(o workerapi.CompileRequest) (a workerapi.CompileAnswer, tape []byte) {
	if o.Link != "" {
		t, err := stan.Unpack(o.Link)
		if err != nil {
			return workerapi.CompileAnswer{CompileRequest: o, Err: err}, nil
		}
		o.Name, o.Source, o.Data = t.Name, t.Source, t.Data
	}
	a.CompileRequest = o
	text := stan.Text{Name: o.Name, Source: o.Source, Data: o.Data}
	c, err := text.Compile()
	if err != nil {
		var at *lang.Error
		if a.Err = err; errors.As(err, &at) {
			a.Err, a.Line, a.Column, a.Excerpt = at.Err, at.Line, at.Column, at.Excerpt
		}
		return a, nil
	}
	tape = c.Tape.Bytes()
	a.Notes, a.Link = c.Notes, text.Pack()
	for _, p := range c.Parameters {
		a.Parameters = append(a.Parameters, p.Name)
	}
	return a, tape
}
