package main

import (
	"os"
	"testing"

	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/models/stan"
)

const coin = `parameters { real<lower=0, upper=1> p; } model { target += binomial_lpmf(9 | 14, p); }`

// A program restored from a link gives the same tape; programs that are too long have no link.
func TestCompile(t *testing.T) {
	t.Parallel()
	a, tape := compile(workerapi.CompileRequest{N: 3, Name: "coin", Source: coin})
	want, err := stan.Compile(coin, nil, nil)
	if err != nil || a.Err != nil || string(tape) != string(want.Tape.Bytes()) || a.Link == "" || a.N != 3 {
		t.Fatalf("%+v, %v", a, err)
	}
	restored, same := compile(workerapi.CompileRequest{Link: a.Link})
	if restored.Source != coin || restored.Name != "coin" || string(same) != string(tape) {
		t.Errorf("compile(link) = %+v", restored)
	}
	for _, link := range []string{"?", a.Link[:len(a.Link)/2], "AAAA"} {
		if invalid, tape := compile(workerapi.CompileRequest{Link: link}); invalid.Err == nil || tape != nil {
			t.Errorf("the invalid link %s compiles", link)
		}
	}
	data, err := os.ReadFile("../../models/stan/testdata/programs/pima-m1_unit.json")
	if err != nil {
		t.Fatal(err)
	}
	if a, _ := compile(workerapi.CompileRequest{Source: coin, Data: string(data)}); a.Link != "" {
		t.Errorf("%d bytes of data make a link of %d characters", len(data), len(a.Link))
	}
}

// An error keeps its position through the message encoding.
func TestError(t *testing.T) {
	t.Parallel()
	a, tape := compile(workerapi.CompileRequest{Source: "parameters { real x; }\nmodel { y ~ normal(0, 1); }"})
	var w wire.Writer
	w.Value(a)
	r := wire.Reader{B: w.B}
	var got workerapi.CompileAnswer
	r.Value(&got)
	if tape != nil || r.Err != nil || len(r.B) > 0 || got.Err == nil || got.Err.Error() != a.Err.Error() ||
		got.Line != 2 || got.Column != 9 || got.Excerpt != a.Excerpt {
		t.Errorf("%+v became %+v", a, got)
	}
}
