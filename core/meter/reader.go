package meter

import "io"

// Reader returns a reader of r that reports ops operations to m for each byte read.
func (m *Meter) Reader(r io.Reader, ops float64) io.Reader { return reader{r, m, ops} }

type reader struct {
	io.Reader
	meter *Meter
	ops   float64
}

// Read reads at most 64 kB, so that Yield is called at short intervals.
func (r reader) Read(p []byte) (n int, err error) {
	n, err = r.Reader.Read(p[:min(len(p), 1<<16)])
	if e := r.meter.Did(r.ops * float64(n)); e != nil {
		err = e
	}
	return n, err
}
