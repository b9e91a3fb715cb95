package samples

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// maxBytes is the largest size of a file after decompression.
const maxBytes = 256 << 20

// inflateOps is the approximate number of operations for decompressing a byte, for the progress.
const inflateOps = 20

// unpack returns the content of a file, decompressed if it is compressed by gzip or bzip2. It returns an error if the
// content exceeds maxBytes or is damaged.
func unpack(f *File, m *meter.Meter) ([]byte, error) {
	if f.Len() > maxBytes {
		return nil, errTooLarge(f.Name)
	}
	data, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	var r io.Reader
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		r, err = gzip.NewReader(bytes.NewReader(data))
	case bytes.HasPrefix(data, []byte("BZh")):
		r = bzip2.NewReader(bytes.NewReader(data))
	default:
		return data, nil
	}
	var out []byte
	if err == nil {
		out, err = io.ReadAll(io.LimitReader(m.Reader(r, inflateOps), maxBytes+1))
	}
	if err != nil {
		return nil, problem.New("%s: damaged or cut short (%v); copy it again", f.Name, err)
	}
	if len(out) > maxBytes {
		return nil, errTooLarge(f.Name)
	}
	return out, nil
}

// errTooLarge is the error of a file larger than maxBytes.
func errTooLarge(name string) error {
	return problem.New("%s: it has more than %d MB, the limit; leave samples out evenly", name, maxBytes>>20)
}
