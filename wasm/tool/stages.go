package main

import (
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"logzlab/models"
)

// cmdStages writes the exact log Z_n of the bundled models that have few hidden
// units, formed in the order of their files: `stages [-out DIR]`.
func cmdStages(args []string) error {
	set := flag.NewFlagSet("stages", flag.ContinueOnError)
	out := set.String("out", "site/models", "directory of the models")
	if err := set.Parse(args); err != nil {
		return err
	}
	for _, e := range models.Builtin() {
		files := models.Files(e.Name)
		if len(files) < 3 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(*out, files[0]))
		if err != nil {
			return err
		}
		f, err := models.ReadFile(data, nil)
		if err != nil {
			return err
		}
		p, ok := f.(models.RBMParams)
		if !ok || p.Ranked == nil {
			return fmt.Errorf("%s has no order", files[0])
		}
		var b []byte
		for _, z := range stageLogZ(&p) {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(z))
		}
		if err := os.WriteFile(filepath.Join(*out, files[2]), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// stageLogZ enumerates the hidden units in float64,
//
//	Z_n = sum_h exp(b.h) prod_{i<=n} (1 + exp(c_i + W_i h)),
//
// with exp of the first ten units and of the others taken apart. Its terms must lie
// within float64: log Z below 600.
func stageLogZ(r *models.RBMParams) []float64 {
	low := min(r.J, 10)
	part := func(units, first, state int) (act []float64, bias float64) {
		act = make([]float64, r.M)
		for j := range units {
			if state>>j&1 == 1 {
				bias += r.B[first+j]
				for n, u := range r.Ranked {
					act[n] += r.W[int(u)*r.J+first+j]
				}
			}
		}
		return
	}
	p, weight := make([][]float64, 1<<low), make([]float64, 1<<low)
	for s := range p {
		act, bias := part(low, 0, s)
		for n := range act {
			act[n] = math.Exp(act[n])
		}
		p[s], weight[s] = act, math.Exp(bias)
	}
	z := make([]float64, r.M)
	for i := range 1 << (r.J - low) {
		q, bias := part(r.J-low, low, i)
		for n, u := range r.Ranked {
			q[n] = math.Exp(q[n] + r.C[u])
		}
		for s := range p {
			x := weight[s] * math.Exp(bias)
			for n, a := range p[s] {
				x *= 1 + a*q[n]
				z[n] += x
			}
		}
	}
	for n := range z {
		z[n] = math.Log(z[n])
	}
	return z
}
