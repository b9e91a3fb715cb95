package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"logzlab/models"
)

// recipe is one bundled model.
type recipe struct {
	name string
	bits int // parameters are rounded to multiples of 2^-bits
	note string
	models.Training
}

const (
	// noteCD1 is completed by each model.
	noteCD1 = "Chains of one Gibbs step stay next to the data, so training never sees, nor removes, what the model " +
		"likes elsewhere: " +
		"a step from a digit gives a digit, but samples of the model are mostly "
	noteCD25 = "The number of Gibbs steps grows from 1 to 25 over the first part of training."
	// Longer training lowers the test error (-75 after 24,000 updates) but lets the
	// model like scraps of ink far from the data, which chains of 25 steps never
	// visit: two thirds of its mass, against less than a sixth here.
	noteStopped = "Stopped early: longer training fits better but lets the model like scraps of ink that chains of " +
		"25 steps from a digit never meet."
	notePCD = "The chains are kept from update to update, so they explore the model itself and its samples look " +
		"like digits."
)

// recipes are the bundled models, quickest first.
var recipes = []recipe{
	{"rbm-cd1-20", 8, noteCD1 + "ones and zeros.", models.Training{Hidden: 20, Steps: 1, Updates: 10000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-pcd-20", 8, notePCD, models.Training{Hidden: 20, Persistent: true, Steps: 1, Updates: 10000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-cd25-20", 8, noteCD25, models.Training{Hidden: 20, Steps: 25, Ramp: 0.5, Updates: 10000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-pcd-100", 8, notePCD, models.Training{Hidden: 100, Persistent: true, Steps: 1, Updates: 20000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-pcd-500", 8, notePCD, models.Training{Hidden: 500, Persistent: true, Steps: 1, Updates: 30000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-cd25-500", 8, noteStopped, models.Training{Hidden: 500, Steps: 25, Ramp: 0, Updates: 3000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
	{"rbm-cd1-500", 8, noteCD1 + "scraps of ink.", models.Training{Hidden: 500, Steps: 1, Updates: 10000, Batch: 100,
		Rate: 0.05, Decay: 1e-4, InitSD: 0.01, Seed: 1}},
}

const (
	maxModelBytes = 800_000
	packDigits    = 2000 // test digits in digits.zip, and where reverse chains start

	// Chains and temperatures of the sandwich of a model too large to enumerate.
	sandwichChains       = 100
	sandwichTemperatures = 10_000
)

// provenance is the member provenance.json of a model file.
type provenance struct {
	Name          string          `json:"name"`
	Kind          string          `json:"kind"`
	Algorithm     string          `json:"algorithm"`
	Note          string          `json:"note"`
	K             int             `json:"k"`
	Hidden        int             `json:"hidden"`
	Seed          uint32          `json:"seed"`
	Settings      models.Training `json:"settings"`
	WeightBits    int             `json:"weight_bits"` // parameters are multiples of 2^-weight_bits
	Data          dataOrigin      `json:"data"`
	LogLikelihood likelihood      `json:"log_likelihood"`
	LogZ          logZ            `json:"logZ"`
	LogZNote      string          `json:"logZ_note"`
}

type dataOrigin struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	Rule   string `json:"rule"`
	Train  string `json:"train_sha256"`
	Test   string `json:"test_sha256"`
}

// likelihood is the mean log-likelihood of a digit in nats: mean log f minus
// the upper end of log Z.
type likelihood struct {
	Train float64 `json:"train"`
	Test  float64 `json:"test"`
}

// cmdTrain trains the bundled models and writes them with a pack of test
// digits: `train [-only NAME,NAME] [-out DIR]`. digits.bin, packed in digits.zip, has no
// header: 98 bytes a digit, by rows, first pixel in the highest bit.
func cmdTrain(args []string) error {
	set := flag.NewFlagSet("train", flag.ExitOnError)
	only := set.String("only", "", "names of the models to train, separated by commas (default all)")
	out := set.String("out", filepath.Join("site", "models"), "the folder to write to")
	set.Parse(args)
	var names []string
	for _, r := range recipes {
		names = append(names, r.name)
	}
	names = append(names, picturesName)
	chosen := names
	if *only != "" {
		chosen = strings.Split(*only, ",")
	}
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			return fmt.Errorf("no bundled model %q; there are: %s", name, strings.Join(names, ", "))
		}
	}
	if slices.Contains(chosen, picturesName) {
		if err := writePictures(*out); err != nil {
			return err
		}
		if len(chosen) == 1 {
			return nil
		}
	}
	train, test, err := loadMNIST()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	pack := newNPZ()
	pack.raw(models.DigitsMember, test.packed[:packDigits*pixels/8])
	packed, err := pack.bytes()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*out, models.DigitsFile), packed, 0o644); err != nil {
		return err
	}
	for _, r := range recipes {
		if !slices.Contains(chosen, r.name) {
			continue
		}
		data, err := r.make(train, test)
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
		if err := os.WriteFile(filepath.Join(*out, r.name+".npz"), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// make trains one model, measures it after rounding, and returns its file.
func (r recipe) make(train, test *digits) ([]byte, error) {
	start, shown := time.Now(), time.Now()
	fmt.Printf("%s: %d updates\n", r.name, r.Updates)
	w, err := models.Train(train.bits, pixels, r.Training, func(update int, _ *models.Weights) bool {
		if time.Since(shown) > 15*time.Second {
			shown = time.Now()
			fmt.Printf("%s: update %d of %d, %.0f s\n", r.name, update, r.Updates, time.Since(start).Seconds())
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	w.Round(r.bits)
	means := models.Means(train.bits, pixels)
	p1 := slices.Clone(means)
	for i := range p1 {
		p1[i] = float64(float32(min(max(p1[i], .05), .95))) // as stored
	}
	var data [][]uint8
	for i := range packDigits {
		data = append(data, test.bits[i*pixels:(i+1)*pixels])
	}
	m, err := models.NewRBM(models.RBMParams{Name: r.name, M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: p1,
		Data: data}, nil)
	if err != nil {
		return nil, err
	}
	z, exact, err := exactLogZ(m)
	if err != nil {
		return nil, err
	}
	note := "By enumeration of the hidden states."
	if !exact {
		if z, err = sandwich(m, sandwichChains, sandwichTemperatures, r.Seed); err != nil {
			return nil, err
		}
		note = fmt.Sprintf("AIS, %d chains, %d temperatures, h summed out: lower is the mean log weight less 2 standard "+
			"errors, "+
			"upper the same of reverse chains from test digits, value the log of the mean weight.", sandwichChains,
			sandwichTemperatures)
	}
	ll := likelihood{meanLogF(w, train) - z.Upper, meanLogF(w, test) - z.Upper}
	algorithm := fmt.Sprintf("CD-%d", r.Steps)
	if r.Persistent {
		algorithm = "PCD"
	}
	origin, err := json.MarshalIndent(provenance{
		Name: r.name, Kind: "rbm", Algorithm: algorithm, Note: r.note,
		K: r.Steps, Hidden: r.Hidden, Seed: r.Seed, Settings: r.Training, WeightBits: r.bits,
		Data:          dataOrigin{"MNIST", mnistModule, "pixel >= 128", mnistTrainHash, mnistTestHash},
		LogLikelihood: ll, LogZ: z, LogZNote: note,
	}, "", "  ")
	if err != nil {
		return nil, err
	}
	file := newNPZ()
	file.array("W", single(w.W), w.M, w.J)
	file.array("c_visible", single(w.C), w.M)
	file.array("b_hidden", single(w.B), w.J)
	file.array("p1", single(p1), w.M)
	file.array("order", pixelOrder(means), w.M)
	file.raw("provenance.json", append(origin, '\n'))
	bytes, err := file.bytes()
	if err == nil && len(bytes) > maxModelBytes {
		err = fmt.Errorf("the file has %d bytes, above the limit of %d; round to fewer bits", len(bytes), maxModelBytes)
	}
	fmt.Printf("%s: log-likelihood train %.2f test %.2f, log Z %.4f [%.4f, %.4f] %s, %d bytes, %.0f s\n",
		r.name, ll.Train, ll.Test, z.Value, z.Lower, z.Upper, z.Source, len(bytes), time.Since(start).Seconds())
	return bytes, err
}

// single narrows x to float32; multiples of 2^-bits below 2^(24-bits) are kept
// exactly.
func single(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}
