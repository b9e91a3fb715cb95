package translations

import "strings"

// A changed text is found again if so many letters are enough to know it by, and so large a part of it stayed.
const (
	shortest = 12
	same     = .75
)

// nearest is the text that is most like one that is gone, with as many places; "" if none is like it.
func nearest(gone string, texts []string) (is string) {
	if len(gone) < shortest {
		return ""
	}
	best := same
	for _, s := range texts {
		if len(s) < len(gone)/2 || len(s) > 2*len(gone) || strings.Count(s, "%") != strings.Count(gone, "%") {
			continue
		}
		if share := alike(gone, s); share > best {
			best, is = share, s
		}
	}
	return is
}

// alike is how much two texts have in common: twice the runs of three letters that both have, over those of each
// (Dice's coefficient).
func alike(a, b string) float64 {
	runs := map[string]int{}
	for i := range len(a) - 2 {
		runs[a[i:i+3]]++
	}
	both := 0
	for i := range len(b) - 2 {
		if run := b[i : i+3]; runs[run] > 0 {
			runs[run]--
			both++
		}
	}
	return 2 * float64(both) / float64(len(a)+len(b)-4)
}
