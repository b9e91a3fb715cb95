package spec

import "strconv"

// Common lists the keys that every experiment has in addition to model and method, in the order of links.
var Common = []string{"seed", "replicates", "target", "limit"}

// common has the types, defaults and ranges of the keys in Common.
var common = map[string]Param{
	"seed":       {Type: "int", Default: "1", Max: 1<<32 - 1},
	"replicates": {Type: "int", Default: "1", Min: 1, Max: MaxReplicates},
	"target":     {Type: "float", Default: "", Min: 1e-9, Max: 10},
	"limit":      {Type: "int", Default: "", Min: 1, Max: 1e15},
}

// putCommon sets one of the keys in Common.
func (s *Spec) putCommon(key, value string) (err error) {
	if p := common[key]; value != p.Default {
		if value, err = p.Canonical(key, value); err != nil {
			return err
		}
	}
	x, _ := strconv.ParseFloat(value, 64) // 0 if the value is empty
	switch key {
	case "seed":
		s.Seed = uint32(x)
	case "replicates":
		s.Replicates = int(x)
	case "target":
		s.Target = x
	case "limit":
		s.Limit = x
		if x == DefaultLimit {
			s.Limit = 0
		}
	}
	return nil
}

// DefaultLimit is the largest number of chain-sweeps that a method with a target may take if the experiment sets no
// limit.
const DefaultLimit = 1e7

// SweepLimit returns the largest number of chain-sweeps that a method may take to reach its target.
func (s *Spec) SweepLimit() float64 {
	if s.Limit > 0 {
		return s.Limit
	}
	return DefaultLimit
}
