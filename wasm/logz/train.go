package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"logzlab/core/files/disk"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
	"logzlab/wasm/rooms/room"
)

// trainOptions are the flags of `logz train`.
type trainOptions struct {
	data, test, out, name   string
	threshold               float64
	bits                    int
	seed                    uint32
	json                    bool
	values                  spec.Values
	trainID, testID, recipe string
	ignored                 []error // messages about columns of the files that are not units and are ignored
}

// parseTrain parses the flags of `logz train`.
func parseTrain(args []string) (*trainOptions, error) {
	o := &trainOptions{threshold: math.NaN(), seed: spec.DefaultSeed}
	f := flag.NewFlagSet("train", flag.ContinueOnError)
	f.StringVar(&o.data, "data", "", "")
	f.StringVar(&o.test, "test", "", "")
	f.StringVar(&o.out, "out", "", "")
	f.StringVar(&o.name, "name", "", "")
	f.Func("threshold", "", func(s string) (err error) { o.threshold, err = num.Parse(s); return err })
	f.IntVar(&o.bits, "bits", 0, "")
	f.Func("seed", "", func(s string) error {
		l := training.NewLink("")
		err := l.SetSeed(s)
		o.seed = l.Seed
		return err
	})
	f.BoolVar(&o.json, "json", false, "")
	set := map[string]string{}
	for _, p := range training.Params {
		f.Func(p.Name, p.Help, func(s string) error { set[p.Name] = s; return nil })
	}

	if err := parseFlags(f, args, nil); err != nil {
		return nil, err
	}
	if o.data == "" || o.out == "" {
		return nil, errors.New("train: give the data with -data FILE (or bars, or digits) and the file to write with -out " +
			"FILE.npz")
	}
	if o.bits < 0 || o.bits > 20 {
		return nil, errors.New("train: -bits must be from 0 to 20")
	}
	if num.NotNaN(o.threshold) && (o.data == training.Digits || o.data == training.Stripes) {
		return nil, fmt.Errorf("train: the rows of %s are already 0 and 1; leave -threshold out", o.data)
	}
	if o.test != "" {
		if _, hasValidation := set["validation"]; hasValidation {
			return nil, errors.New("train: -test gives rows for validation, and -validation a share of -data; leave one out")
		}
	}
	var err error
	o.values, err = training.Values(set)
	return o, err
}

// read returns the rows of a file or of built-in data, the number m of bits in a row, and the SHA-256 of all bits.
func (o *trainOptions) read(name string) (bits []uint8, m int, id string, err error) {
	switch name {
	case training.Stripes:
		bits, m = training.Bars(training.StripesRows)
	case training.Digits:
		var b []byte
		if b, err = loadBundled(rbm.DigitsFile); err == nil {
			m = 784
			var rows [][]uint8
			rows, err = rbm.ReadDigits(b, m, nil)
			bits = slices.Concat(rows...)
		}
	default:
		var b []byte
		if b, err = disk.Read(name, modelfile.MaxInflated); err == nil {
			var ignored error
			if bits, m, ignored, err = modelfile.ReadBits(b, o.threshold, newMeter()); ignored != nil {
				o.ignored = append(o.ignored, fmt.Errorf("%s: %w", name, ignored))
			}
		}
	}
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", name, err)
	}
	sum := sha256.Sum256(bits)
	return bits, m, hex.EncodeToString(sum[:]), nil
}

// checkOutput returns an error if -out is not a regular file, or is a file of rows.
func (o *trainOptions) checkOutput() error {
	if err := disk.CheckRegular(o.out); err != nil {
		return fmt.Errorf("train: -out %w", err)
	}
	for _, name := range []string{o.data, o.test} {
		rows, err := os.Stat(name)
		out, outErr := os.Stat(o.out)
		if err == nil && outErr == nil && os.SameFile(rows, out) {
			return fmt.Errorf("train: -out would overwrite the rows in %s; choose another name", name)
		}
	}
	return nil
}

// open reads the data and creates the training run. It fails if the run needs more memory than is available.
func (o *trainOptions) open() (*training.Run, error) {
	if err := o.checkOutput(); err != nil {
		return nil, err
	}

	bits, m, id, err := o.read(o.data)
	if err != nil {
		return nil, err
	}
	o.trainID = id
	share := o.values.Float("validation")
	if o.test != "" {
		share = 0
	}
	data, err := training.Split(bits, m, o.values.Int("rows"), share, o.seed)
	if err != nil {
		return nil, err
	}
	if o.test != "" {
		var columns int
		if data.Test, columns, o.testID, err = o.read(o.test); err != nil {
			return nil, err
		}
		if columns != m {
			return nil, fmt.Errorf("train: the rows of %s have %d columns, those of %s %d", o.test, columns, o.data, m)
		}
	}

	o.recipe = fmt.Sprint(o.values, " ", o.seed, " ", o.trainID, " ", o.testID, " ", room.Build)
	run, err := training.New(training.ParamsOf(o.values), data, o.seed)
	if err != nil {
		return nil, err
	}
	memory := run.Need()
	return run, newMeter().Take(memory.Shared+memory.Retained+memory.Lane, fmt.Errorf("training %d x %s units", m,
		o.values["hidden"]), errors.New("use fewer hidden units or chains"))
}

// trainCommand trains an RBM. A run that ends early keeps its state in a file next to -out, from which the same command
// continues.
func trainCommand(args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseTrain(args)
	if err != nil {
		return exitUsage, err
	}
	ctx, stop := untilInterrupt()
	defer stop()
	run, err := await(ctx, o.open)
	if err != nil {
		return inputError(err)
	}
	part, err := o.openState(run)
	if err != nil {
		return exitUsage, err
	}
	defer part.Close()
	interrupted := func() (int, error) {
		return exitInterrupted, fmt.Errorf("interrupted; %s has the state, and the same command continues from it",
			part.Path)
	}

	for _, ignored := range o.ignored {
		fmt.Fprintln(stderr, ignored)
	}
	if n := run.Data.Constant(); n > 0 {
		fmt.Fprintf(stderr, "%d of %d columns are constant\n", n, run.Data.M)
	}

	// Train. The state is saved every ten seconds and at an interrupt.
	line := newProgress(stderr, time.Now())
	saved, printed := time.Now(), len(run.Checks)
	var runErr error
	for isOver := false; !isOver && runErr == nil; {
		isOver, runErr = run.Round(func(f *frame.Frame) bool {
			line.setLine(fmt.Sprintf("update %d of %d", f.Step, f.Steps))
			return ctx.Err() == nil
		})
		for ; printed < len(run.Checks) && !o.json; printed++ {
			line.clear()
			printCheck(stderr, run, run.Checks[printed])
		}
		if ctx.Err() != nil || time.Since(saved) > 10*time.Second {
			saved = time.Now()
			if err := o.save(part, run); err != nil {
				return exitFailed, fmt.Errorf("%w; %s has an earlier state, from which the same command continues", err, part.Path)
			}
		}
		if ctx.Err() != nil {
			return interrupted()
		}
	}
	line.clear()

	// Measure and write the RBM, and remove the saved state.
	w, update := run.Result()
	if w == nil {
		part.Remove()
		return exitFailed, runErr
	}
	if err := o.save(part, run); err != nil {
		return exitFailed, err
	}
	if err := o.finish(ctx, stdout, run, w, update); ctx.Err() != nil && err != nil {
		return interrupted()
	} else if err != nil {
		return exitFailed, err
	}
	part.Remove()
	if runErr != nil {
		return exitFailed, fmt.Errorf("%w; %s has the model after %d updates", runErr, o.out, update)
	}
	return exitOK, nil
}

// printCheck prints a check of log Z by AIS, and the estimates of the training at the same update.
func printCheck(w io.Writer, run *training.Run, c frame.TrainingCheck) {
	p, _ := run.At(c.Update)
	fmt.Fprintf(w, "update %d: log-likelihood train %.2f validation %.2f, log Z %.2f +- %.2f followed, %.2f +- %.2f by "+
		"ais [%.2f, %.2f]\n", p.Update, p.Train, p.Validation, p.LogZ, p.SE, c.LogZ, c.SE, c.Lower, c.Upper)
}

// save writes the state of the run, with a checksum, to the file.
func (o *trainOptions) save(stateFile *disk.LockedFile, run *training.Run) error {
	var payload, file wire.Writer
	payload.String(o.recipe)
	run.Append(&payload)
	file.String(room.Sum(payload.B))
	return stateFile.Replace(append(file.B, payload.B...))
}

// openState locks FILE.part, loads the state that an earlier command has saved there, and saves it once: a file that
// cannot be written is reported now, not after hours of work.
func (o *trainOptions) openState(run *training.Run) (*disk.LockedFile, error) {
	part, err := disk.OpenLocked(o.out + ".part")
	if errors.Is(err, disk.ErrLocked) {
		return nil, fmt.Errorf("train: %s is being trained by another logz; wait for it, end it, or choose "+
			"another -out", o.out)
	}
	if err != nil {
		return nil, fmt.Errorf("train: %s cannot be written: %w", o.out, err)
	}
	st, err := part.Stat()
	if err == nil && st.Size() > 0 {
		if err = o.resume(part, st.Size(), run); err != nil {
			part.Close()
			return nil, err
		}
	}
	if err == nil {
		err = o.save(part, run)
	}
	switch {
	case err == nil:
		return part, nil
	case st != nil && st.Size() == 0: // it is new and empty
		part.Remove()
	default:
		part.Close()
	}
	return nil, fmt.Errorf("train: %s cannot be written: %w", o.out, err)
}

// resume loads the state, of size bytes, that an earlier command with the same recipe has saved.
func (o *trainOptions) resume(part *disk.LockedFile, size int64, run *training.Run) error {
	damaged := fmt.Errorf("train: %s is damaged; remove it to start again", part.Path)
	if float64(size) > newMeter().Limit {
		return damaged
	}
	b := make([]byte, size)
	if _, err := part.ReadAt(b, 0); err != nil {
		return fmt.Errorf("train: the saved state cannot be read: %w", err)
	}
	in := wire.Reader{B: b}
	if in.String() != room.Sum(in.B) {
		return damaged
	}
	if in.String() != o.recipe {
		return fmt.Errorf("train: %s belongs to a run with other data or parameters, or of another version of "+
			"logz; remove it, or choose another -out", part.Path)
	}
	if run.Load(&in) != nil {
		return damaged
	}
	return nil
}

// bitRule describes how the numbers of the data became bits.
func (o *trainOptions) bitRule() string {
	if !num.NotNaN(o.threshold) {
		return "as given"
	}
	return "number >= " + spec.Decimal(o.threshold)
}
