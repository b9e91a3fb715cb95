package problem

// Empty is an error with an empty text, for an optional part of a message: New("%s is not declared%w", name, Empty{}).
type Empty struct{}

func (Empty) Error() string { return "" }

// Suggest returns the phrase " (did you mean NAME?)" with the name that has the smallest edit distance from a
// misspelled name, or Empty if no name is similar. A name is similar if at most two edits lead to it and at least two
// letters of the misspelled name remain; an edit changes, inserts or deletes a letter, or swaps two neighbouring
// letters. Of several names at the same distance, the alphabetically first is chosen.
func Suggest(misspelled string, names []string) error {
	const limit = 2
	best, least := "", min(limit, len(misspelled)-2) // in a name of three letters, only one edit is allowed
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

// editDistance returns the smallest number of edits (see Suggest) that lead from a to b, but at most limit.
func editDistance(a, b string, limit int) int {
	const longest = 60
	if len(a) > longest || len(b) > longest || len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	var rows [3][longest + 1]int // rows[i%3][j] is the distance of the first i letters of a from the first j letters of b
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
