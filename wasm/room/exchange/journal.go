package exchange

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"

	"logzlab/core/frame"
	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// Journal is the file of a host: which room it has, and every result that came in, each a record that is added at the
// end. A program that is killed leaves at most one record cut short, which the next one drops.
type Journal struct {
	f *os.File
}

// Address is where a room is. Server is "" where the host's own is meant.
type Address struct {
	Server, Code, Token string
}

// Kinds of records.
const (
	recordHead   = 'H' // link, build, address
	recordResult = 'R' // a first result
	recordLook   = 'L' // a second look that agrees
	recordOut    = 'X' // a device that was left out
)

// Record is one of them; which fields it has follows from its kind.
type Record struct {
	kind  byte
	texts [5]string
	seq   int
	body  []byte
}

// Again makes a record one of a room that is gone: its results stay, their numbers are those of another room.
func (r *Record) Again() { r.seq = 0 }

func (r *Record) encode() []byte {
	w := frame.Writer{B: []byte{r.kind}}
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
	in := frame.Reader{B: body[1:]}
	r = &Record{kind: body[0]}
	for i := range r.texts {
		r.texts[i] = in.String()
	}
	r.seq, r.body = in.Int(), in.Bytes()
	return r, rest[4:], in.Err == nil
}

// OpenJournal opens the file of an experiment, or makes it. known is false if it is new: then there is no address yet.
func OpenJournal(name, link string) (j *Journal, at Address, all []*Record, known bool, err error) {
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, at, nil, false, err
	}
	whole := 0
	for rest := b; ; {
		r, next, ok := readRecord(rest)
		if !ok {
			break
		}
		all, rest, whole = append(all, r), next, len(b)-len(next)
	}
	if known = len(all) > 0; known {
		head := all[0]
		if head.kind != recordHead || head.texts[0] != link {
			return nil, at, nil, false, problem.New("%s is the file of another run; give another one, or delete it", name)
		}
		if head.texts[1] != room.Build {
			return nil, at, nil, false, problem.New("%s was begun by build %s of the program, and this is build %s: go on "+
				"with that one, or delete the file and begin again", name, head.texts[1], room.Build)
		}
		for _, r := range all {
			if r.kind == recordHead {
				at = Address{r.texts[2], r.texts[3], r.texts[4]}
			}
		}
	} else if len(b) > 0 {
		return nil, at, nil, false, problem.New("%s is no file of a room", name)
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600) // it holds the token
	if err == nil {
		err = f.Truncate(int64(whole))
	}
	if err == nil {
		_, err = f.Seek(int64(whole), 0)
	}
	return &Journal{f}, at, all, known, err
}

// Begin notes where the room is; a second time when the first one is gone.
func (j *Journal) Begin(link string, at Address) error {
	return j.add(&Record{kind: recordHead, texts: [5]string{link, room.Build, at.Server, at.Code, at.Token}})
}

func (j *Journal) add(r *Record) error {
	if j == nil {
		return nil
	}
	_, err := j.f.Write(r.encode())
	return err
}

// Close closes the file.
func (j *Journal) Close() error { return j.f.Close() }
