package main

import (
	"errors"

	"logzlab/core/workerapi"
	"logzlab/models/stan"
	"logzlab/models/stan/lang"
)

// compile handles a request. It returns the answer and the tape's file, nil if there is none.
func compile(request workerapi.CompileRequest) (answer workerapi.CompileAnswer, tape []byte) {
	if request.Link != "" {
		t, err := stan.Unpack(request.Link)
		if err != nil {
			return workerapi.CompileAnswer{CompileRequest: request, Err: err}, nil
		}
		request.Name, request.Source, request.Data = t.Name, t.Source, t.Data
	}
	answer.CompileRequest = request
	text := stan.Text{Name: request.Name, Source: request.Source, Data: request.Data}
	c, err := text.Compile()
	if err != nil {
		var position *lang.Error
		if answer.Err = err; errors.As(err, &position) {
			answer.Err, answer.Line, answer.Column, answer.Excerpt = position.Err, position.Line, position.Column, position.Excerpt
		}
		return answer, nil
	}
	tape = c.Tape.Bytes()
	answer.Notes, answer.Link = c.Notes, text.Pack()
	for _, p := range c.Parameters {
		answer.Parameters = append(answer.Parameters, p.Name)
	}
	return answer, tape
}
