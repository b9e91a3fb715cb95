package training

import (
	"math"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Built-in data, by their names in links.
const (
	Digits  = "digits" // the bundled digits, rbm.DigitsFile
	Stripes = "bars"   // bars and stripes: the rows of Bars(StripesRows)

	StripesRows = 3000
)

// Link describes a whole training, as in v=1&train=digits&seed=2&hidden=50. Its text has everything except the rows of
// a file. The same link and rows give the same result, bit for bit, on every platform.
type Link struct {
	Data      string  // Digits, Stripes, or file:<12 hex digits>
	Threshold float64 // numbers in a file that are at least this count as 1, others as 0; NaN: all must be 0 or 1
	Seed      uint32
	Values    spec.Values
	View      []string // view settings of the page, key=value; not in the text of the link
}

// NewLink returns a training with default parameters on the data of a given name.
func NewLink(data string) Link {
	v, _ := Values(nil)
	return Link{Data: data, Threshold: math.NaN(), Seed: spec.DefaultSeed, Values: v}
}

// IsLink reports whether a link describes a training.
func IsLink(link string) bool {
	return strings.Contains("&"+link[strings.Index(link, "#")+1:], "&train=")
}

// thresholdParam describes the valid values of threshold.
var thresholdParam = floatParam("threshold", "", -1e300, 1e300, "")

// seedParam describes the valid values of seed.
var seedParam = intParam("seed", "1", 0, math.MaxUint32, "", false)

// ParseLink parses a link: a full URL or the part after its '#'.
func ParseLink(link string) (Link, error) {
	l := NewLink("")
	err := l.read(link[strings.Index(link, "#")+1:])
	if err != nil {
		err = spec.Join([]error{err})
	}
	return l, err
}

// read sets the link from its text after '#'.
func (l *Link) read(link string) (err error) {
	values := map[string]string{}
	for _, part := range strings.Split(link, "&") {
		key, value, ok := strings.Cut(strings.TrimSpace(part), "=")
		_, isDuplicate := values[key]
		switch {
		case strings.HasPrefix(key, "view."):
			l.View = append(l.View, part)
			continue
		case !ok || key == "":
			return problem.New("%q is not key=value; write for example seed=7", part)
		case isDuplicate:
			return problem.New("%s is given twice; leave one out", key)
		}
		if values[key], ok = spec.Unescape(value); !ok {
			return problem.New("the value of %s is not valid percent-encoding; after a percent sign come two hex digits", key)
		}
	}

	// The version and the data.
	if values["v"] != strconv.Itoa(spec.Version) {
		return problem.New("it must begin with v=%d", spec.Version)
	}
	if l.Data = values["train"]; l.Data != Digits && l.Data != Stripes && !spec.IsFile(l.Data) {
		return problem.New("train=%s is not known; it must be digits, bars or file:<12 hex digits>", l.Data)
	}

	// The seed and the threshold.
	if x, ok := values["seed"]; ok {
		if err = l.SetSeed(x); err != nil {
			return err
		}
	}
	if x, ok := values["threshold"]; ok {
		if !spec.IsFile(l.Data) {
			return problem.New("the rows of %s are 0 and 1 already; leave threshold out", l.Data)
		}
		if err = l.SetThreshold(x); err != nil {
			return err
		}
	}

	// The other settings are parameters of the training.
	for _, key := range []string{"v", "train", "seed", "threshold"} {
		delete(values, key)
	}
	l.Values, err = Values(values)
	return err
}

// SetSeed sets the seed from text.
func (l *Link) SetSeed(text string) error {
	text, err := seedParam.Canonical("seed", text)
	if err == nil {
		seed, _ := strconv.ParseUint(text, 10, 32)
		l.Seed = uint32(seed)
	}
	return err
}

// SetThreshold sets the threshold from text; empty text means none. Invalid text changes nothing.
func (l *Link) SetThreshold(text string) error {
	if text == "" {
		l.Threshold = math.NaN()
		return nil
	}
	text, err := thresholdParam.Canonical("threshold", text)
	if err == nil {
		l.Threshold, err = strconv.ParseFloat(text, 64)
	}
	return err
}

// Set sets a parameter from text. If the other parameters do not allow the value, nothing changes.
func (l *Link) Set(name, text string) error {
	set := map[string]string{name: text}
	for key, x := range l.Values {
		if key != name {
			set[key] = x
		}
	}
	v, err := Values(set)
	if err == nil {
		l.Values = v
	}
	return err
}

// String returns the canonical text, without parameters at their defaults.
func (l Link) String() string {
	s := "v=" + strconv.Itoa(spec.Version) + "&train=" + l.Data
	if num.NotNaN(l.Threshold) && spec.IsFile(l.Data) {
		s += "&threshold=" + spec.Decimal(l.Threshold)
	}
	if l.Seed != spec.DefaultSeed {
		s += "&seed=" + strconv.FormatUint(uint64(l.Seed), 10)
	}
	for _, p := range Params {
		if x := l.Values[p.Name]; x != p.Default {
			s += "&" + p.Name + "=" + x
		}
	}
	return s
}

// Open returns the run of the training on bits: rows of m zeros and ones.
func (l Link) Open(bits []uint8, m int) (*Run, error) {
	p := ParamsOf(l.Values)
	d, err := Split(bits, m, p.Rows, p.Validation, l.Seed)
	if err != nil {
		return nil, err
	}
	return New(p, d, l.Seed)
}
