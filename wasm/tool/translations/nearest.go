package translations

import "strings"

// A changed text is found if it is long enough and shares enough with the old text.
const (
	shortest = 12
	same     = .75
)

// nearest returns the text that is most similar to a removed one and has as many %s, or "".
func nearest(gone string, texts []string) (is string) {
	if len(gone) < shortest {
		return ""
	}
	best := same
	for _, s := range texts {
		if len(s) < len(gone)/2 || len(s) > 2*len(gone) || strings.Count(s, "%") != strings.Count(gone, "%") {
			continue
		}
		if share := similarity(gone, s); share > best {
			best, is = share, s
		}
	}
	return is
}

// similarity returns the similarity of two texts: Dice's coefficient of their sequences of three letters.
func similarity(a, b string) float64 {
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
