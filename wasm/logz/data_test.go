package main

import (
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// Data rows of an RBM give the base rates and the start of raise, whose mean log-likelihood equals the one of NumPy.
// The link requires them.
func TestDataRows(t *testing.T) {
	const field = "../../models/testdata/field/"
	out := mustRun(t, "run", "-model", field+"sklearn.npz", "-data", field+"rows.npy", "-method", "raise", "-set",
		"chains=400", "-json")
	r := parseReport(t, out)
	if got := r.Diagnostics["mean_log_likelihood"]; math.Abs(got+3.6015677504287993) > .01 ||
		slices.Contains(r.Flags, "base_guessed") {
		t.Errorf("mean log-likelihood %v, flags %v", got, r.Flags)
	}
	again := parseReport(t, mustRun(t, "run", "-link", r.Link, "-model", field+"sklearn.npz", "-data", field+"rows.npy",
		"-json"))
	without := parseReport(t, mustRun(t, "run", "-model", field+"sklearn.npz", "-method", "raise", "-set", "chains=400",
		"-json"))
	if again.Hash != r.Hash || without.Hash == r.Hash {
		t.Errorf("hashes %s, %s again, %s without data", r.Hash, again.Hash, without.Hash)
	}
	mustRefuse(t, "-data is data=none", "run", "-link", r.Link, "-model", field+"sklearn.npz")
	mustRefuse(t, "the link is about data rows data=none", "run", "-link", without.Link, "-model", field+"sklearn.npz", "-data",
		field+"rows.npy")
	mustRefuse(t, "needs an RBM of your own", "run", "-model", "mixture2", "-method", "ais", "-data", field+"rows.npy")

	// exact and run print the likelihood of the rows; log Z of this model is exact, so both are equal.
	type likelihood struct {
		Rows         int
		Mean         *float64 `json:"mean_log_likelihood"`
		Lower, Upper *float64
		Pseudo       float64 `json:"pseudo_log_likelihood"`
	}
	var of [2]struct {
		LogZ float64
		Data likelihood
	}
	given := []string{"-model", field + "sklearn.npz", "-data", field + "rows.npy", "-json"}
	for i, command := range [][]string{{"exact"}, {"run", "-method", "raise"}} {
		if err := json.Unmarshal([]byte(mustRun(t, append(command, given...)...)), &of[i]); err != nil {
			t.Fatal(err)
		}
		d := of[i].Data
		if d.Rows < 2 || d.Mean == nil || d.Lower == nil || d.Upper == nil || *d.Mean != *d.Lower ||
			*d.Mean != *d.Upper ||
			math.Abs(*d.Mean+3.6015677504287993) > 1e-4 || !(d.Pseudo < 0) {
			t.Errorf("%s: data %+v", command[0], d)
		}
	}
	mustRefuse(t, "names a file of data rows", "run", "-model", field+"sklearn.npz", "-method", "ais", "-set",
		"data=0123456789ab")
	mustRefuse(t, "12 hexadecimal characters", "run", "-model", field+"sklearn.npz", "-method", "ais", "-set", "data=rows.npy")
}
