package frame

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// maxPixel limits pixel numbers in a text that is parsed before the size of the model is known.
const maxPixel = 1 << 16

// Drawing has the clamped pixels of a picture: 1 (ink) or 0 (paper) by pixel number, row by row from 0. Its text lists
// runs: 205i3-233p is ink at 205, 206 and 207 and paper at 233.
type Drawing map[int]uint8

// ReadDrawing parses the text of a drawing.
func ReadDrawing(s string) (Drawing, error) {
	fixed := Drawing{}
	if s == "" {
		return fixed, nil
	}

	// Each part is a run of pixels.
	for _, run := range strings.Split(s, "-") {
		at := strings.IndexAny(run, "ip")
		if at < 0 {
			return nil, problem.New("%q is not a run of pixels such as 205i3 (ink) or 233p (paper)", run)
		}
		first, err := strconv.Atoi(run[:at])
		n := 1
		if err == nil && at+1 < len(run) {
			n, err = strconv.Atoi(run[at+1:])
		}
		if err != nil || first < 0 || n < 1 || first+n > maxPixel {
			return nil, problem.New("%q is not a run of pixels such as 205i3 (ink) or 233p (paper)", run)
		}

		value := uint8(0)
		if run[at] == 'i' {
			value = 1
		}
		for k := first; k < first+n; k++ {
			if old, ok := fixed[k]; ok && old != value {
				return nil, problem.New("pixel %d is ink and paper", k)
			}
			fixed[k] = value
		}
	}
	return fixed, nil
}

// String returns the canonical text of a drawing.
func (d Drawing) String() string {
	var runs []string
	pixels := slices.Sorted(maps.Keys(d))
	for i := 0; i < len(pixels); {
		k, n := pixels[i], 1
		for i+n < len(pixels) && pixels[i+n] == k+n && d[k+n] == d[k] {
			n++
		}
		run := strconv.Itoa(k) + string("pi"[d[k]])
		if n > 1 {
			run += strconv.Itoa(n)
		}
		runs = append(runs, run)
		i += n
	}
	return strings.Join(runs, "-")
}
