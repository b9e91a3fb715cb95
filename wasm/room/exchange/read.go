package exchange

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime/debug"

	"logzlab/core/wire"
	"logzlab/wasm/room"
)

// Limits of what is read from a file: bytes of the first record, which tells what the file is, and of any other.
const (
	mostHead   = 16 << 20
	mostRecord = 1 << 30
)

func checksum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// scanner takes records off a file one after another.
type scanner struct {
	in    *bufio.Reader
	left  int64 // bytes of the file that were not read
	whole int64 // bytes of records that were
	begun bool
}

// next is the next record, nil where the file ends or is damaged. No more is read, and no more memory taken, than the
// file has and a record may have; the first one must be a head.
func (s *scanner) next() *Record {
	n, head := s.length()
	most := uint64(mostRecord)
	if !s.begun {
		most = mostHead
	}
	if s.left -= head + 4; n == 0 || n > most || s.left < 0 || n > uint64(s.left) {
		return nil
	}
	if kind, err := s.in.Peek(1); err != nil || !s.begun && kind[0] != recordHead {
		return nil
	}

	// The record, if its checksum is right.
	body := make([]byte, n+4)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return nil
	}
	sum, body := binary.LittleEndian.Uint32(body[n:]), body[:n]
	if checksum(body) != sum {
		return nil
	}

	// The fields of the record.
	in, r := wire.Reader{B: body[1:]}, &Record{kind: body[0]}
	for i := range r.texts {
		r.texts[i] = in.String()
	}
	if r.seq, r.body = in.Int(), in.Bytes(); in.Err != nil {
		return nil
	}
	s.left -= int64(n)
	s.whole += head + int64(n) + 4
	s.begun = true
	return r
}

// length is how many bytes the next record has, 0 where it has none, and how many say so.
func (s *scanner) length() (n uint64, bytes int64) {
	var b []byte
	for len(b) < binary.MaxVarintLen64 {
		c, err := s.in.ReadByte()
		if err != nil {
			return 0, 0
		}
		if b = append(b, c); c < 0x80 {
			break
		}
	}
	n, k := binary.Uvarint(b)
	if k <= 0 {
		return 0, 0
	}
	return n, int64(k)
}

// saved is what a file has.
type saved struct {
	all   []*Record
	size  int64
	whole int64 // bytes of these records
	lost  error // what follows them, nil if nothing does
}

// read takes the records off a file.
func read(name string, f *os.File) (s saved, err error) {
	st, err := f.Stat()
	if err != nil {
		return s, err
	}
	s.size = st.Size()
	in := scanner{in: bufio.NewReader(f), left: s.size}
	results, held, most := 0, int64(0), debug.SetMemoryLimit(-1)
	for r := in.next(); r != nil; r = in.next() {
		if len(r.body) > 0 {
			results++
		}
		if held += int64(len(r.body)); held > most {
			return s, fmt.Errorf("%s has more than the %.1f GB that the memory has to spare", name, float64(most)/1e9)
		}
		s.all = append(s.all, r)
	}
	if s.whole = in.whole; s.whole < s.size {
		s.lost = fmt.Errorf("%s is damaged or cut short after %.3f of %.3f MB: %d results of it count", name,
			float64(s.whole)/1e6, float64(s.size)/1e6, results)
	}
	return s, nil
}

// begun checks that a file was begun by this build, for a link.
func (s *saved) begun(name, link string) error {
	head := s.all[0].texts
	if head[0] != link {
		return fmt.Errorf("%s is the file of another run; give another one, or delete it", name)
	}
	if head[1] != room.Build {
		return fmt.Errorf("%s was begun by build %s of the program, and this is build %s: go on with that one, or delete "+
			"the file and begin again", name, head[1], room.Build)
	}
	return nil
}
