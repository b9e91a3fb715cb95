package training

import (
	"encoding/json"
	"sort"
	"strconv"

	"logzlab/core/files/modelfile"
	"logzlab/core/num"
	"logzlab/models/rbm"
)

// Provenance is the content of provenance.json in the model file of a trained RBM: how the weights were made, and what
// is known about log Z.
type Provenance struct {
	Name          string       `json:"name"`
	Kind          string       `json:"kind"`
	Algorithm     string       `json:"algorithm"`
	Note          string       `json:"note"`
	K             int          `json:"k"`
	Hidden        int          `json:"hidden"`
	Seed          uint32       `json:"seed"`
	Settings      rbm.Training `json:"settings"`
	WeightBits    int          `json:"weight_bits"` // parameters are multiples of 2^-weight_bits; 0: not rounded
	Data          Origin       `json:"data"`
	LogLikelihood Likelihood   `json:"log_likelihood"`
	LogZ          LogZ         `json:"logZ"`
	LogZNote      string       `json:"logZ_note"`
	Update        int          `json:"update,omitempty"` // update after which the weights were taken, if not the last one
}

// Origin is the source of the data.
type Origin struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Rule   string `json:"rule"`
	Train  string `json:"train_sha256"`
	Test   string `json:"test_sha256"`
}

// Likelihood has mean log-likelihoods of a row, mean log f minus log Z, in nats.
type Likelihood struct {
	Train float64  `json:"train"`
	Test  *float64 `json:"test,omitempty"` // of the validation rows; nil if there are none
}

// LogZ is the known log Z of the model, in nats.
type LogZ struct {
	Lower float64 `json:"lower"`
	Upper float64 `json:"upper"`
	Value float64 `json:"value"`
	// Source is "exact", "sandwich" (the bounds are from forward and reverse AIS), or "auto" or "rts" (the bounds are two
	// standard errors from the estimate by that method).
	Source string `json:"source"`
}

// describe sets the fields of a provenance that follow from a recipe.
func (p *Provenance) describe(t rbm.Training) {
	p.Kind, p.K, p.Hidden, p.Seed, p.Settings = "rbm", t.Steps, t.Hidden, t.Seed, t
	switch {
	case t.Tracked:
		p.Algorithm = "RTS"
	case t.Persistent:
		p.Algorithm = "PCD"
	default:
		p.Algorithm = "CD-" + strconv.Itoa(t.Steps)
	}
}

// StoredRates returns the base rates for the means of the data as they are stored in files: clipped, and rounded to
// float32.
func StoredRates(means []float64) []float64 {
	p1 := rbm.BaseRates(rbm.StartClipped, means, 0)
	for i, x := range p1 {
		p1[i] = float64(float32(x))
	}
	return p1
}

// Pack returns the .npz file of an RBM with weights w, trained by the recipe t on bits (rows x visible units). The same
// arguments give the same bytes.
func Pack(w *rbm.Weights, bits []uint8, t rbm.Training, p Provenance) ([]byte, error) {
	p.describe(t)
	origin, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return nil, err
	}
	means, file := rbm.Means(bits, w.M), modelfile.NewNPZ()
	file.Array("W", num.Float32s(w.W), w.M, w.J)
	file.Array("c_visible", num.Float32s(w.C), w.M)
	file.Array("b_hidden", num.Float32s(w.B), w.J)
	file.Array("p1", num.Float32s(StoredRates(means)), w.M)
	file.Array("data_means", num.Float32s(means), w.M)
	file.Array("data_rows", []int32{int32(len(bits) / w.M)}, 1)
	file.Array("order", byVariance(means), w.M)
	file.Raw("provenance.json", append(origin, '\n'))
	return file.Bytes()
}

// byVariance returns the indices of the columns in the order of decreasing variance, mean (1 - mean). Columns with
// equal variance keep their order.
func byVariance(mean []float64) []int32 {
	order := make([]int32, len(mean))
	for i := range order {
		order[i] = int32(i)
	}
	variance := func(i int32) float64 { return mean[i] * (1 - mean[i]) }
	sort.SliceStable(order, func(i, j int) bool { return variance(order[i]) > variance(order[j]) })
	return order
}
