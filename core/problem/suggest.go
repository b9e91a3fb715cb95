package problem

// Empty is an error with an empty text, for an optional part of a message: New("%s is not declared%w", name, Empty{}).
type Empty struct{}

func (Empty) Error() string { return "" }

// Suggest returns the phrase " (did you mean NAME?)" with the one of names that differs least from a misspelled name, or
// Empty if none is similar. Similar names differ in at most two letters that are changed, inserted or deleted, or that
// swap places with a neighbour, and in fewer letters than the misspelled name has. Among equally similar names it
// chooses the first in alphabetical order.
func Suggest(misspelled string, names []string) error {
	const limit = 2
	best, least := "", min(limit, len(misspelled)-2) // of three letters, two may not differ
	for _, name := range names {
		if d := editDistance(misspelled, name, least+1); d < least || d == least && (best == "" || name < best) {
			best, least = name, d
		}
	}
	if best == "" || len(misspelled) < 3 {
		return Empty{}
	}
	return New(" (did you mean %s?)", best)
}

// editDistance returns the number of letters to change, insert, delete or swap with a neighbour between two names, or
// limit if it is at least limit.
func editDistance(a, b string, limit int) int {
	const longest = 60
	if len(a) > longest || len(b) > longest || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var rows [3][longest + 1]int // distances from prefixes of a, the last three, to every prefix of b
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, above, above2 := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			d := above[j-1]
			if a[i-1] != b[j-1] {
				d = 1 + min(above[j-1], above[j], row[j-1])
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d = min(d, 1+above2[j-2])
				}
			}
			row[j] = d
		}
	}
	return min(rows[len(a)%3][len(b)], limit)
}
