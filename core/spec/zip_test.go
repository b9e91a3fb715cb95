package spec

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"math/rand/v2"
	"testing"
)

func init() { // so that archives can name an unknown method
	zip.RegisterCompressor(12, func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil })
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// contents reads a whole archive with ours, nil if it is refused.
func contents(b []byte) map[string]string {
	list, err := readZip(b)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, z := range list {
		data, err := z.unpack()
		if err != nil || uint64(len(data)) != z.size {
			return nil
		}
		out[z.name] = string(data)
	}
	return out
}

// standardContents does so with archive/zip.
func standardContents(b []byte) map[string]string {
	list, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, f := range list.File {
		r, err := f.Open()
		if err != nil {
			return nil
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return nil
		}
		out[f.Name] = string(data)
	}
	return out
}

// Random archives are read as archive/zip reads them, and damaged ones so or not at
// all. It finds each of these, planted: no length of the extra field in a header, the
// length of a member taken from the wrong place. TestNPZTruncated finds that the
// checksum is not looked at.
func TestZipAsArchiveZip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	for range 150 {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range r.IntN(4) {
			data := bytes.Repeat([]byte{byte(r.Uint32()), byte(r.Uint32())}, r.IntN(300))
			h := &zip.FileHeader{Name: string(rune('a' + i)), Method: uint16(8 * r.IntN(2)), Comment: "comment"[:r.IntN(8)], Extra: []byte{1, 2, 3, 0, 7, 7, 7}[:7*r.IntN(2)]}
			w, err := z.CreateHeader(h)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(data)
		}
		z.SetComment("the archive PK\x05\x06"[:r.IntN(17)])
		z.Close()
		if ours, theirs := contents(b.Bytes()), standardContents(b.Bytes()); ours == nil || !maps.Equal(ours, theirs) {
			t.Fatalf("%q\nis read as %q\narchive/zip reads %q", b.Bytes(), ours, theirs)
		}
		for range 50 {
			bad := bytes.Clone(b.Bytes())
			for range 1 + r.IntN(2) {
				few := byte(r.Uint32()) // bits, of which half are kept
				bad[r.IntN(len(bad))] = few & byte(r.Uint32())
			}
			ours := contents(bad)
			if theirs := standardContents(bad); ours != nil && theirs != nil {
				read++
				if !maps.Equal(ours, theirs) {
					t.Fatalf("%q\nis read as %q\narchive/zip reads %q", bad, ours, theirs)
				}
			}
		}
	}
	if read < 500 {
		t.Errorf("only %d damaged archives could be read, too few to compare", read)
	}
}

func FuzzZip(f *testing.F) {
	f.Add(npz(nil, npyMembers()...))
	f.Add(npz(pack, npyMembers()...))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := readZip(b)
		if err != nil {
			return
		}
		for _, z := range list {
			if z.size < 1<<20 {
				z.unpack()
			}
		}
	})
}
