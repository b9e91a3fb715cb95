package format

import "fmt"

// Seconds is a time as 3 s, 2 min or 1.5 h.
func Seconds(s float64) string {
	switch {
	case s < 90:
		return fmt.Sprintf("%.0f s", max(s, 1))
	case s < 5400:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.1f h", s/3600)
}

// Progress is the share done, 0 to 1, and what is left after so many seconds: "41 %, about 3 s left".
func Progress(share, elapsed float64) string {
	left := 0.0
	if share > .02 && elapsed > .5 {
		left = elapsed * (1 - share) / share
	}
	return Left(share, left)
}

// Left is Progress where the seconds left are known, if they are above 0.
func Left(share, left float64) string {
	text := fmt.Sprintf("%.0f %%", 100*share)
	if share < 1 && left > 0 {
		text += ", about " + Seconds(left) + " left"
	}
	return text
}
