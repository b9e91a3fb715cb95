package engine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/models"
)

// ownModel stands in a spec for a model that has no name.
const ownModel = "file:000000000000"

// Estimate runs one method of the catalogue on a model, on all processors, and returns its
// result. settings are key=value: seed, or a parameter of the method; others have their
// defaults. An unknown method or setting, or a method that cannot run on the model, is an
// error; when ctx ends, the error is ctx's.
func Estimate(ctx context.Context, m models.Model, method string, settings ...string) (*estimators.Result, error) {
	return Options{}.Estimate(ctx, m, method, settings...)
}

// Estimate is the function Estimate with these options, as for a method of a program outside the tree.
func (o Options) Estimate(ctx context.Context, m models.Model, method string, settings ...string) (
	*estimators.Result, error) {
	names := o.Names
	s, err := spec.New(ownModel, []string{method}, names)
	if err != nil {
		return nil, err
	}

	// Settings: the seed, and parameters of the method.
	for _, setting := range settings {
		key, value, ok := strings.Cut(setting, "=")
		if !ok {
			return nil, fmt.Errorf("setting %q is not key=value", setting)
		}
		if key != "seed" {
			key = method + "." + key
		}
		if err := s.PutKey(names, key, value); err != nil {
			return nil, err
		}
	}
	if err := s.Check(names); err != nil {
		return nil, err
	}

	// The experiment, on all processors.
	j, err := NewJob(s, m, o)
	if err != nil {
		return nil, err
	}
	if err := Run(ctx, j, runtime.NumCPU(), nil); err != nil {
		return nil, err
	}

	// Replicates joined into one result.
	done := j.Standing(method)
	if done.Err != nil {
		return nil, done.Err
	}
	info, _ := names.Method(method)
	r := *estimators.Joined(done.Results, info.Unbiased)
	if alone, _ := r.OneWeight(); alone {
		r.SE = math.NaN()
		r.Flag(estimators.FlagOneWeight)
	}
	return &r, nil
}
