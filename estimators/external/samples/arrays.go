package samples

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/files/modelfile"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// array is a NumPy array.
type array = modelfile.Array

// isArrays reports whether a file is an .npz or .npy file, by its first bytes.
func isArrays(b []byte) bool {
	return bytes.HasPrefix(b, []byte("PK")) || bytes.HasPrefix(b, []byte("\x93NUMPY"))
}

// readArrays reads an .npz file with u_kn and N_k of pymbar or with dead points of dynesty, or an .npy file with u_kn
// or N_k alone, which pairArrays later joins with the other one.
func readArrays(f *source) (*fileData, error) {
	if bytes.HasPrefix(f.Data, []byte("\x93NUMPY")) {
		a, err := modelfile.ReadNPY(f.Data, "u_kn", f.meter)
		if err != nil {
			return nil, problem.New("%s: %w", f.Name, err)
		}
		p := newFileData(f, States, "pymbar u_kn", "kT")
		p.array = a
		return p, nil
	}
	a, err := modelfile.OpenNPZ(f.Data, f.meter)
	if err != nil {
		return nil, problem.New("%s: %w", f.Name, err)
	}

	// The arrays with known names.
	var found [7]*array
	for i, name := range []string{"u_kn", "N_k", "logl", "samples_n", "logvol", "nlive", "u_kln"} {
		if found[i], err = arrayByName(a, name); err != nil {
			return nil, problem.New("%s: %w", f.Name, err)
		}
	}
	if found[0] == nil {
		found[0] = found[6]
	}

	// Energies of pymbar, or dead points of dynesty.
	switch {
	case found[0] != nil && found[1] != nil:
		p := newFileData(f, States, "pymbar u_kn", "kT")
		return p, p.fillEnergies(found[0], found[1])
	case found[2] != nil:
		return dynesty(f, found[2], found[3], found[4], found[5])
	}
	return nil,
		problem.New("%s: it has the arrays %s; needed are u_kn and N_k of pymbar, or logl with samples_n or logvol of "+
			"dynesty", f.Name, csv.Truncate(strings.Join(a.Names(), ", ")))
}

// arrayByName returns an array by its name, ignoring case; nil if there is none.
func arrayByName(a *modelfile.Arrays, name string) (*array, error) {
	for _, n := range a.Names() {
		if strings.EqualFold(n, name) {
			return a.Array(n, []string{n})
		}
	}
	return nil, nil
}

// fillEnergies sets the states and the blocks of p from the arrays of pymbar: n is N_k, the number of samples of each
// state; u is u_kn (states x samples, with samples sorted by the state they are from) or u_kln (state of the sample x
// state of the energy x samples).
func (p *fileData) fillEnergies(u, n *array) error {
	if len(n.Shape) != 1 || len(n.Data) == 0 || len(u.Shape) < 2 || len(u.Shape) > 3 || u.Shape[len(u.Shape)-2] !=
		len(n.Data) || u.Shape[0] != len(n.Data) {
		return problem.New("%s: u_kn has the shape %v and N_k %v; they must be states x samples, and states", p.file,
			u.Shape,
			n.Shape)
	}

	// The states, and how many samples each has.
	states, sampleCount, total := len(n.Data), u.Shape[len(u.Shape)-1], 0
	if states > maxRungs {
		return errTooManyRungs(p.file)
	}
	for k, v := range n.Data {
		if v < 0 || v != math.Floor(v) || v > float64(sampleCount) {
			return problem.New("%s: N_k of state %d is %v; it must be a number of samples", p.file, k, v)
		}
		total += int(v)
		p.states = append(p.states, Rung{strconv.Itoa(k), []float64{float64(k)}})
	}
	if len(u.Shape) == 2 && total != sampleCount {
		return problem.New("%s: N_k has %d samples in all, u_kn %d", p.file, total, sampleCount)
	}

	// The energies of every sample in all states.
	at := 0 // index of the sample in u_kn
	for k, v := range n.Data {
		b := &block{Rung: p.states[k], first: math.NaN(), last: math.NaN(), run: math.NaN(), count: int(v)}
		for i := range int(v) {
			for target := range states {
				index := target*sampleCount + at
				if len(u.Shape) == 3 {
					index = (k*states+target)*sampleCount + i
				}
				x := u.Data[index]
				switch {
				case num.Finite(x):
				case math.IsInf(x, 1) && target == k:
					return problem.New("%s: the energy of sample %d in its own state %d is infinite; it cannot have been drawn "+
						"there", p.file, at, target)
				case !math.IsInf(x, 1): // +Inf means that the sample is impossible in that state
					return problem.New("%s: the energy of sample %d in state %d is %v; it must be a finite number, or +inf where "+
						"the sample is impossible", p.file, at, target, x)
				}
				b.LogF = append(b.LogF, -x)
			}
			at++
		}
		p.blocks = append(p.blocks, b)
	}
	return nil
}

// pairArrays joins two files with a single array each, u_kn and N_k in any order. Other files are returned unchanged.
func pairArrays(parts []*fileData) ([]*fileData, error) {
	var single []*fileData
	for _, p := range parts {
		if p.array != nil {
			single = append(single, p)
		}
	}
	switch {
	case single == nil:
		return parts, nil
	case len(single) != len(parts) || len(parts) != 2:
		return nil,
			problem.New("%s: a single array of NumPy; give two, u_kn (states x samples) and N_k (samples in each state)",
				single[0].file)
	}
	a, b := single[0], single[1]
	if len(a.array.Shape) < len(b.array.Shape) {
		a, b = b, a
	}
	u, n := a.array, b.array
	a.array = nil
	return []*fileData{a}, a.fillEnergies(u, n)
}
