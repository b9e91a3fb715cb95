package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
)

// recipe describes the training of a bundled model, on all training digits and without tracking log Z. parameters are
// those that differ from the defaults of recipes.
type recipe struct {
	name       string
	bits       int // parameters are rounded to multiples of 2^-bits
	note       string
	parameters map[string]string
}

// seed is the seed of all recipes.
const seed = 1

// values returns the parameters of the recipe.
func (r recipe) values() spec.Values {
	parameters := map[string]string{"chains": "0", "validation": "0", "check": "0", "rate": "0.05"}
	maps.Copy(parameters, r.parameters)
	v, err := training.Values(parameters)
	if err != nil {
		panic(err)
	}
	return v
}

// training returns the settings of the trainer, which the provenance of the model contains.
func (r recipe) training() rbm.Training { return training.Recipe(r.values(), seed) }

const (
	// noteCD1 ends with a word for the samples that the model gives, which each recipe adds.
	noteCD1 = "Chains of one Gibbs step stay next to the data, so training never sees, nor removes, what the model " +
		"likes elsewhere: " +
		"a step from a digit gives a digit, but samples of the model are mostly "
	noteCD25 = "The number of Gibbs steps grows from 1 to 25 over the first part of training."
	// Longer training raises the test log-likelihood (-75 after 24,000 updates), but gives
	// two thirds of the mass to scraps of ink far from the data, which chains of 25 steps
	// never visit; here it is less than a sixth.
	noteStopped = "Stopped early: longer training fits better but lets the model like scraps of ink that chains of " +
		"25 steps from a digit never meet."
	notePlain25 = "Chains of 25 Gibbs steps, from the first update on."
	notePCD     = "The chains are kept from update to update, so they explore the model itself and its samples look " +
		"like digits."
)

// recipes are the bundled models, quickest first.
var recipes = []recipe{
	{"rbm-cd1-20", 8, noteCD1 + "ones and zeros.", map[string]string{"hidden": "20", "gradient": "cd",
		"updates": "10000"}},
	{"rbm-pcd-20", 8, notePCD, map[string]string{"hidden": "20", "updates": "10000"}},
	{"rbm-cd25-20", 8, noteCD25, map[string]string{"hidden": "20", "gradient": "cd", "k": "25", "ramp": "0.5",
		"updates": "10000"}},
	{"rbm-plain-cd1-20", 8, noteCD1 + "ones and zeros.", plain("cd", "1", "0.0003")},
	{"rbm-plain-pcd-20", 8, notePCD, plain("pcd", "1", "0.002")},
	{"rbm-plain-cd25-20", 8, notePlain25, plain("cd", "25", "0.002")},
	{"rbm-pcd-100", 8, notePCD, map[string]string{"hidden": "100", "updates": "20000"}},
	{"rbm-pcd-500", 8, notePCD, map[string]string{"hidden": "500", "updates": "30000"}},
	{"rbm-cd25-500", 8, noteStopped, map[string]string{"hidden": "500", "gradient": "cd", "k": "25",
		"updates": "3000"}},
	{"rbm-cd1-500", 8, noteCD1 + "scraps of ink.", map[string]string{"hidden": "500", "gradient": "cd",
		"updates": "10000"}},
}

// plain returns a recipe as in the VAROPT paper: the plain gradient and a fixed rate.
func plain(gradient, k, rate string) map[string]string {
	return map[string]string{"hidden": "20", "gradient": gradient, "k": k, "updates": "250000", "batch": "20",
		"rate": rate, "last": "1", "centred": "no", "decay": "0"}
}

const (
	maxModelBytes = 800_000

	// Chains and temperatures of the sandwich of a model too large to enumerate.
	sandwichChains       = 100
	sandwichTemperatures = 10_000
)

// cmdTrain trains the bundled models and writes them and a file of test digits: `train [-only NAME,NAME] [-out DIR]`.
// The file digits.zip has the member digits.bin without a header: 98 bytes for each digit, row by row, with the first
// pixel in the highest bit.
func cmdTrain(args []string) error {
	flags := flag.NewFlagSet("train", flag.ExitOnError)
	only := flags.String("only", "", "names of the models to train, separated by commas (default all)")
	out := flags.String("out", filepath.Join("site", "models"), "the folder to write to")
	flags.Parse(args)

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

	// The file of test digits.
	train, test, err := loadMNIST()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*out, 0o755); err != nil {
		return err
	}
	pack := modelfile.NewNPZ()
	pack.Raw(rbm.DigitsMember, test.packed[:rbm.Digits*pixels/8])
	packed, err := pack.Bytes()
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(*out, rbm.DigitsFile), packed, 0o644); err != nil {
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

// make trains a model and returns the content of its file, with log Z and likelihoods of the rounded weights.
func (r recipe) make(train, test *digits) ([]byte, error) {
	start, reported := time.Now(), time.Now()
	t := r.training()
	fmt.Printf("%s: %d updates\n", r.name, t.Updates)
	run, err := training.New(training.ParamsOf(r.values()), &training.Data{M: pixels, Train: train.bits}, seed)
	if err != nil {
		return nil, err
	}

	show := func(f *frame.Frame) bool {
		if time.Since(reported) > 15*time.Second {
			reported = time.Now()
			fmt.Printf("%s: update %d of %d, %.0f s\n", r.name, f.Step, f.Steps, time.Since(start).Seconds())
		}
		return true
	}
	for finished := false; !finished; {
		if finished, err = run.Round(show); err != nil {
			return nil, err
		}
	}

	// The model as in its file, with the test digits.
	w, _ := run.Result()
	w.Round(r.bits)
	means := rbm.Means(train.bits, pixels)
	p1 := training.StoredRates(means)
	var data [][]uint8
	for i := range rbm.Digits {
		data = append(data, test.bits[i*pixels:(i+1)*pixels])
	}
	m, err := rbm.New(rbm.Params{Name: r.name, M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: p1,
		Data: data}, nil)
	if err != nil {
		return nil, err
	}

	// Log Z by enumeration, or bounds by annealing.
	z, exact, err := exactLogZ(m)
	if err != nil {
		return nil, err
	}
	note := "By enumeration of the hidden states."
	if !exact {
		if z, err = sandwich(m, sandwichChains, sandwichTemperatures, seed); err != nil {
			return nil, err
		}
		note = fmt.Sprintf("AIS, %d chains, %d temperatures, h summed out: lower is the mean log weight less 2 standard "+
			"errors, "+
			"upper the same of reverse chains from test digits, value the log of the mean weight.", sandwichChains,
			sandwichTemperatures)
	}

	// Likelihoods use the upper end of log Z, which gives the lower likelihood.
	testLikelihood := meanLogF(w, test) - z.Upper
	ll := training.Likelihood{Train: meanLogF(w, train) - z.Upper, Test: &testLikelihood}
	bytes, err := training.Pack(w, train.bits, t, training.Provenance{Name: r.name, Note: r.note, WeightBits: r.bits,
		Data: training.Origin{Name: "MNIST", Source: mnistModule, Rule: "pixel >= 128", Train: mnistTrainHash,
			Test: mnistTestHash},
		LogLikelihood: ll, LogZ: z, LogZNote: note})
	if err == nil && len(bytes) > maxModelBytes {
		err = fmt.Errorf("the file has %d bytes, above the limit of %d; round to fewer bits", len(bytes), maxModelBytes)
	}
	fmt.Printf("%s: log-likelihood train %.2f test %.2f, log Z %.4f [%.4f, %.4f] %s, %d bytes, %.0f s\n",
		r.name, ll.Train, testLikelihood, z.Value, z.Lower, z.Upper, z.Source, len(bytes), time.Since(start).Seconds())
	return bytes, err
}
