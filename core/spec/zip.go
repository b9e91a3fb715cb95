package spec

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// zipped is a member of a zip archive (PKWARE's APPNOTE 4.3). What is encrypted, on
// several disks or of 4 GB and more (zip64) is not read. archive/zip reads more and
// writes, too, for 38 kB of logz.wasm.
type zipped struct {
	name         string
	size, packed uint64 // bytes, as declared
	method       uint16
	sum          uint32
	archive      []byte
	at           uint64 // of its header
}

// Methods of packing.
const (
	stored   = 0
	deflated = 8
)

// readZip lists the members by the directory at the archive's end.
func readZip(b []byte) ([]zipped, error) {
	const endLen, entryLen = 22, 46
	le := binary.LittleEndian
	end := len(b) - endLen
	for ; ; end-- { // a comment may follow
		if end < 0 || end < len(b)-endLen-1<<16 {
			return nil, errors.New("the archive has no directory")
		}
		if string(b[end:end+4]) == "PK\x05\x06" && end+endLen+int(le.Uint16(b[end+20:])) <= len(b) {
			break
		}
	}
	missing := errors.New("the archive's directory is not where it should be")
	count, size, at := int(le.Uint16(b[end+10:])), uint64(le.Uint32(b[end+12:])), uint64(le.Uint32(b[end+16:]))
	if at+size > uint64(end) {
		return nil, missing
	}
	var out []zipped
	for dir := b[at : at+size]; len(dir) > 0; {
		if len(dir) < entryLen || string(dir[:4]) != "PK\x01\x02" {
			return nil, missing
		}
		name := int(le.Uint16(dir[28:]))
		n := entryLen + name + int(le.Uint16(dir[30:])) + int(le.Uint16(dir[32:]))
		if n > len(dir) {
			return nil, missing
		}
		out = append(out, zipped{name: string(dir[entryLen : entryLen+name]), method: le.Uint16(dir[10:]), sum: le.Uint32(dir[16:]),
			packed: uint64(le.Uint32(dir[20:])), size: uint64(le.Uint32(dir[24:])), archive: b, at: uint64(le.Uint32(dir[42:]))})
		dir = dir[n:]
	}
	if len(out) != count {
		return nil, missing
	}
	return out, nil
}

// unpack returns the contents, at most one byte more than declared.
func (z *zipped) unpack() ([]byte, error) {
	const headLen = 30
	b, le := z.archive, binary.LittleEndian
	if z.at+headLen > uint64(len(b)) || string(b[z.at:z.at+4]) != "PK\x03\x04" {
		return nil, errors.New("it is not where the archive says")
	}
	from := z.at + headLen + uint64(le.Uint16(b[z.at+26:])) + uint64(le.Uint16(b[z.at+28:]))
	if from+z.packed > uint64(len(b)) {
		return nil, errors.New("it is not where the archive says")
	}
	var r io.Reader = bytes.NewReader(b[from : from+z.packed])
	if z.method != stored {
		r = flate.NewReader(r)
	}
	// Deflate packs at most 1032 bytes into one, whatever size the archive claims.
	room := bytes.NewBuffer(make([]byte, 0, min(z.size, 1032*z.packed)+1+bytes.MinRead))
	_, err := room.ReadFrom(io.LimitReader(r, int64(z.size)+1))
	data := room.Bytes()
	if err == nil && uint64(len(data)) == z.size && crc32.ChecksumIEEE(data) != z.sum {
		err = errors.New("its checksum is another")
	}
	return data, err
}
