package format

import "fmt"

// Seconds formats a duration in seconds: 3 s, 2 min or 1.5 h.
func Seconds(s float64) string {
	switch {
	case s < 90:
		return fmt.Sprintf("%.0f s", max(s, 1))
	case s < 5400:
		return fmt.Sprintf("%.0f min", s/60)
	}
	return fmt.Sprintf("%.1f h", s/3600)
}

// Progress formats the share of the work done, from 0 to 1, and an estimate of the remaining time from the elapsed
// seconds: "41 %, about 3 s left".
func Progress(share, elapsed float64) string {
	left := 0.0
	if share > .02 && elapsed > .5 {
		left = elapsed * (1 - share) / share
	}
	return Remaining(share, left)
}

// Remaining is Progress with the remaining time given in seconds; the time is omitted if it is not positive.
func Remaining(share, seconds float64) string {
	text := fmt.Sprintf("%.0f %%", 100*share)
	if share < 1 && seconds > 0 {
		text += ", about " + Seconds(seconds) + " left"
	}
	return text
}
