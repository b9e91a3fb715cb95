package exchange

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"logzlab/core/wire"
	"logzlab/wasm/room"
)

// Journal is the file of a host: which room it has, and every result that came in, each a record that is added at the
// end. A program that is killed leaves at most one record cut short, which the next one drops. One program at a time
// has it: two would write over each other's records.
type Journal struct {
	Lost error // what the file has besides, and that does not count; nil if all of it does

	f     *os.File
	empty bool
}

// Address is where a room is. Server is "" where the host's own is meant.
type Address struct {
	Server, Code, Token string
}

// Kinds of records.
const (
	recordHead   = 'H' // link, build, address
	recordResult = 'R' // a first result
	recordClaim  = 'L' // a further result of a unit: its device and hash
	recordRight  = 'A' // the hash of a unit's result as the host computed it
	recordOut    = 'X' // a device that was left out
)

// Record is one of them; which fields it has follows from its kind.
type Record struct {
	kind  byte
	texts [5]string
	seq   int
	body  []byte
}

// Again marks a record as a record of an earlier room: results are kept, but their numbers belong to the earlier room.
func (r *Record) Again() { r.seq = 0 }

func (r *Record) encode() []byte {
	w := wire.Writer{B: []byte{r.kind}}
	for _, t := range r.texts {
		w.String(t)
	}
	w.Int(r.seq)
	w.Bytes(r.body)
	out := binary.AppendUvarint(nil, uint64(len(w.B)))
	out = append(out, w.B...)
	return binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(w.B))
}

// readRecord takes the first record off b; false if it is cut short or damaged.
func readRecord(b []byte) (r *Record, rest []byte, ok bool) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n == 0 || n > uint64(len(b)-k) || uint64(len(b)-k)-n < 4 {
		return nil, b, false
	}
	body, rest := b[k:k+int(n)], b[k+int(n):]
	if binary.LittleEndian.Uint32(rest) != crc32.ChecksumIEEE(body) {
		return nil, b, false
	}
	in := wire.Reader{B: body[1:]}
	r = &Record{kind: body[0]}
	for i := range r.texts {
		r.texts[i] = in.String()
	}
	r.seq, r.body = in.Int(), in.Bytes()
	return r, rest[4:], in.Err == nil
}

// saved is what a file has.
type saved struct {
	all   []*Record
	whole int   // bytes of these records
	lost  error // what follows them, nil if nothing does
}

// read takes the records off the bytes of a file.
func read(name string, b []byte) (s saved) {
	units := 0
	for rest := b; len(rest) > 0; {
		r, next, ok := readRecord(rest)
		if !ok {
			s.lost = fmt.Errorf("%s is damaged or cut short after %.3f of %.3f MB: %d units of it count", name,
				float64(s.whole)/1e6, float64(len(b))/1e6, units)
			break
		}
		if r.kind == recordResult {
			units++
		}
		s.all, rest, s.whole = append(s.all, r), next, len(b)-len(next)
	}
	return s
}

// begun checks that a file was begun by this build.
func (s *saved) begun(name string) error {
	if build := s.all[0].texts[1]; build != room.Build {
		return fmt.Errorf("%s was begun by build %s of the program, and this is build %s: go on with that one, or delete "+
			"the file and begin again", name, build, room.Build)
	}
	return nil
}

// OpenJournal opens the file of an experiment, or makes it, for this program alone until it is closed. known is false
// if it is new: then there is no address yet.
func OpenJournal(name, link string) (j *Journal, at Address, all []*Record, known bool, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600) // it holds the token
	if err != nil {
		return nil, at, nil, false, err
	}
	opened := &Journal{f: f}
	defer func() {
		if err != nil {
			opened.Close()
		}
	}()
	if !lock(f) {
		return nil, at, nil, false, fmt.Errorf("%s is in use by another logz that runs now; wait for it, end it, or give "+
			"another file", name)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return nil, at, nil, false, err
	}
	s := read(name, b)
	switch known, opened.empty, opened.Lost = len(s.all) > 0, len(b) == 0, s.lost; {
	case !known && len(b) > 0:
		return nil, at, nil, false, fmt.Errorf("%s is no file of a room or a part", name)
	case known && (s.all[0].kind != recordHead || s.all[0].texts[0] != link):
		return nil, at, nil, false, fmt.Errorf("%s is the file of another run; give another one, or delete it", name)
	case known:
		if err := s.begun(name); err != nil {
			return nil, at, nil, false, err
		}
	}
	for _, r := range s.all {
		if r.kind == recordHead {
			at = Address{r.texts[2], r.texts[3], r.texts[4]}
		}
	}
	if err = f.Truncate(int64(s.whole)); err == nil {
		_, err = f.Seek(int64(s.whole), 0)
	}
	return opened, at, s.all, known, err
}

// Begin notes where the room is; a second time when the first one is gone.
func (j *Journal) Begin(link string, at Address) error {
	return j.add(&Record{kind: recordHead, texts: [5]string{link, room.Build, at.Server, at.Code, at.Token}})
}

func (j *Journal) add(r *Record) error {
	if j == nil {
		return nil
	}
	j.empty = false
	_, err := j.f.Write(r.encode())
	return err
}

// Close closes the file, and deletes one in which nothing was noted.
func (j *Journal) Close() error {
	err := j.f.Close()
	if j.empty {
		err = os.Remove(j.f.Name())
	}
	return err
}
