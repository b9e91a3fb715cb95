package exchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"logzlab/core/disk"
	"logzlab/core/wire"
	"logzlab/wasm/room"
)

// Journal is the file of a host: every result that came in, each a record that is added at the end. A program that is
// killed leaves at most one record cut short, which the next one drops. One program at a time has it: two would write
// over each other's records.
type Journal struct {
	Lost error // what the file has besides, and that does not count; nil if all of it does

	own   *disk.Own
	empty bool
}

// Address is where a room is. Server is "" where the host's own is meant.
type Address struct {
	Server, Code, Token string
}

// Kinds of records.
const (
	recordHead   = 'H' // link, build, and the address of a room
	recordResult = 'R' // a first result
	recordClaim  = 'L' // a further result of a unit: its device and hash
	recordRight  = 'A' // the hash of a unit's result as the host computed it
	recordOut    = 'X' // a device that was left out
)

// Record is one entry of the journal. Its kind says which fields are set.
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
	return binary.LittleEndian.AppendUint32(out, checksum(w.B))
}

// resume goes on after the records of a file that is open for this program alone.
func resume(own *disk.Own, s saved) (*Journal, error) {
	j := &Journal{own: own, empty: s.size == 0, Lost: s.lost}
	err := own.Truncate(s.whole)
	if err == nil {
		_, err = own.Seek(s.whole, io.SeekStart)
	}
	return j, err
}

// take opens a file for this program alone, and reads what it has.
func take(name string) (own *disk.Own, s saved, err error) {
	own, err = disk.Take(name)
	switch {
	case errors.Is(err, disk.ErrTaken):
		return nil, s, fmt.Errorf("%s is in use by another logz that runs now; wait for it, end it, or give another file",
			name)
	case err != nil:
		return nil, s, err
	}
	if s, err = read(name, own.File); err != nil {
		own.Close()
	}
	return own, s, err
}

// OpenJournal opens the file of a room's host, or makes it, for this program alone until it is closed. known is false
// if it is new: then there is no address yet.
func OpenJournal(name, link string) (j *Journal, at Address, all []*Record, known bool, err error) {
	own, s, err := take(name)
	if err != nil {
		return nil, at, nil, false, err
	}
	defer func() {
		if err != nil {
			own.Close()
		}
	}()
	known = len(s.all) > 0
	switch {
	case !known && s.size > 0:
		err = fmt.Errorf("%s is no file of a room", name)
	case known:
		err = s.begun(name, link)
	}
	if err != nil {
		return nil, at, nil, false, err
	}
	for _, r := range s.all {
		if r.kind == recordHead {
			at = Address{r.texts[2], r.texts[3], r.texts[4]}
		}
	}
	j, err = resume(own, s)
	return j, at, s.all, known, err
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
	_, err := j.own.Write(r.encode())
	return err
}

// Close closes the file, and deletes one in which nothing was noted.
func (j *Journal) Close() error {
	if j.empty {
		return j.own.Remove()
	}
	return j.own.Close()
}
