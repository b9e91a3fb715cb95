package translations

import "strings"

// Conditions for finding the current version of a text: its length in bytes and its similarity to the old version.
const (
	minLength     = 12
	minSimilarity = .75
)

// nearest returns the text that is most similar to a removed text and has as many percent signs. It returns "" if none
// exceeds minSimilarity.
func nearest(removed string, texts []string) (nearestText string) {
	if len(removed) < minLength {
		return ""
	}
	best := minSimilarity
	for _, s := range texts {
		if len(s) < len(removed)/2 || len(s) > 2*len(removed) || strings.Count(s, "%") != strings.Count(removed, "%") {
			continue
		}
		if share := similarity(removed, s); share > best {
			best, nearestText = share, s
		}
	}
	return nearestText
}

// similarity returns the similarity of two texts, from 0 to 1: Dice's coefficient of their sequences of three bytes.
func similarity(a, b string) float64 {
	trigrams := map[string]int{}
	for i := range len(a) - 2 {
		trigrams[a[i:i+3]]++
	}
	common := 0
	for i := range len(b) - 2 {
		if run := b[i : i+3]; trigrams[run] > 0 {
			trigrams[run]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(a)+len(b)-4)
}
