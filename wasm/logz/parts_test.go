package main

import (
	"archive/zip"
	"io"
	"math"
	"strings"
	"testing"
)

// Three .npy files are one model with one id, in any order.
func TestModelOfArrays(t *testing.T) {
	z, err := zip.OpenReader("../../models/testdata/field/sklearn.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var paths []string
	for _, f := range z.File {
		r, _ := f.Open()
		b, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, write(t, f.Name, b))
	}
	args := func(model string) []string {
		return []string{"run", "-model", model, "-method", "ais", "-set", "chains=10", "-set", "temperatures=20", "-json"}
	}
	whole := parseReport(t, mustRun(t, args("../../models/testdata/field/sklearn.npz")...))
	one := parseReport(t, mustRun(t, args(strings.Join(paths, ","))...))
	two := parseReport(t, mustRun(t, args(paths[2]+", "+paths[0]+","+paths[1])...))
	if one.Hash != two.Hash || *one.LogZ != *whole.LogZ || math.Abs(one.Truth.LogZ-whole.Truth.LogZ) > 1e-12 {
		t.Errorf("%s, %s; %v, %v", one.Hash, two.Hash, *one.LogZ, *whole.LogZ)
	}
	mustRefuse(t, "give one matrix", args(paths[0]+","+paths[1])...)
	mustRefuse(t, "is not one", args(paths[0]+",mixture2")...)
	mustRefuse(t, "cannot be read", args(paths[0]+",missing.npy")...)
}
