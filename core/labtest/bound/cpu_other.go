//go:build !unix

package bound

import "time"

// processor is the time of the clock where the system does not tell that of the processor.
func processor(start time.Time) time.Duration { return time.Since(start) }
