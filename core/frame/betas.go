package frame

// FilmBetas returns the inverse temperatures of the rows of a film strip from hot to cold: five for points (w = 0),
// eight for pictures of w x h cells. Images form at the cold end, so for pictures of 400 cells or more most
// temperatures are close to 1; for smaller pictures they are evenly spaced.
func FilmBetas(w, h int) []float64 {
	switch {
	case w == 0:
		return []float64{0, 0.25, 0.5, 0.75, 1}
	case w*h >= 400:
		return []float64{0, 0.3, 0.6, 0.78, 0.86, 0.92, 0.96, 1}
	}
	return []float64{0, 1. / 7, 2. / 7, 3. / 7, 4. / 7, 5. / 7, 6. / 7, 1}
}

// SnapshotBetas returns the inverse temperatures at which scenes keep a picture of each row, so that the user can step
// through a run: those of FilmBetas, and perGap-1 equally spaced values between neighbours.
func SnapshotBetas(w, h int) (betas []float64, perGap int) {
	film := FilmBetas(w, h)
	if perGap = 6; w == 0 {
		perGap = 10
	}
	for i, b := range film[1:] {
		for j := range perGap {
			betas = append(betas, film[i]+(b-film[i])*float64(j)/float64(perGap))
		}
	}
	return append(betas, 1), perGap
}
