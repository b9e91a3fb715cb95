package engine

import "logzlab/core/wire"

// OwnFile is the file name under which the bytes of a user's own model are sent.
const OwnFile = "own"

// OwnRows is the file name of the data rows that accompany a user's own model.
const OwnRows = "rows"

// TrainingRows is the file name of the data rows of a training, encoded by TrainingFile.
const TrainingRows = "train"

// TrainingFile encodes data rows of m bits each; bits has one element, 0 or 1, for each bit of all rows.
func TrainingFile(bits []uint8, m int) []byte {
	var w wire.Writer
	w.Int(m)
	w.Int(len(bits))
	w.Bits(bits)
	return w.B
}

// ReadTrainingFile is the inverse of TrainingFile. It returns wire.ErrDamaged if b is not such a file.
func ReadTrainingFile(b []byte) (bits []uint8, m int, err error) {
	r := wire.Reader{B: b}
	m = r.Int()
	n := r.Int()
	if r.Err != nil || m < 1 || n < 0 || n/8 > len(r.B) {
		return nil, 0, wire.ErrDamaged
	}
	bits = make([]uint8, n)
	r.Bits(bits)
	return bits, m, r.Err
}
