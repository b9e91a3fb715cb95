package main

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"

	"logzlab/core/problem"
	"logzlab/core/stan"
	"logzlab/core/wire"
	"logzlab/wasm/page/program"
)

const (
	mostInLink = 2048    // characters of a packed program
	mostPacked = 1 << 20 // bytes that one may unpack to
)

// compile does what is ordered: the answer, and the tape's file, nil if there is none.
func compile(o program.Order) (a program.Answer, tape []byte) {
	if o.Link != "" {
		if err := unpack(&o); err != nil {
			return program.Answer{Order: o, Err: err}, nil
		}
	}
	a.Order = o
	var c *stan.Compiled
	p, err := stan.Read(o.Source)
	if err == nil {
		c, err = p.Compile([]byte(o.Data), nil)
	}
	if err != nil {
		var at *stan.Error
		if a.Err = err; errors.As(err, &at) {
			a.Err, a.Line, a.Column, a.Excerpt = at.Err, at.Line, at.Column, at.Excerpt
		}
		return a, nil
	}
	tape = c.Tape.Bytes()
	a.Notes, a.Link = c.Notes, pack(o)
	for _, p := range c.Parameters {
		a.Parameters = append(a.Parameters, p.Name)
	}
	return a, tape
}

// pack makes a text for a link of a program with its data, "" if it would be too long.
func pack(o program.Order) string {
	var texts wire.Writer
	texts.String(o.Name)
	texts.String(o.Source)
	texts.String(o.Data)
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return ""
	}
	if _, err := z.Write(texts.B); err != nil || z.Close() != nil {
		return ""
	}
	if base64.RawURLEncoding.EncodedLen(out.Len()) > mostInLink {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(out.Bytes())
}

// unpack fills in the texts of an order whose link has them.
func unpack(o *program.Order) error {
	bad := problem.New("view.program is damaged or cut short; copy the whole link again")
	packed, err := base64.RawURLEncoding.DecodeString(o.Link)
	if err != nil {
		return bad
	}
	b, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), mostPacked))
	r := wire.Reader{B: b}
	o.Name, o.Source, o.Data = r.String(), r.String(), r.String()
	if err != nil || r.Err != nil || len(r.B) > 0 {
		return bad
	}
	return nil
}
