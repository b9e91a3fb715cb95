package models

import (
	"encoding/binary"
	"math"

	"logzlab/core/files/modelfile"
)

// DataID returns an ID of data: a hash of all bits of y and of kind, one of the constants below. Data of different
// kinds have different IDs because their probabilities are not comparable: some are masses, others densities.
func DataID(kind string, y ...float64) string {
	b := []byte(kind)
	for _, v := range y {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // +0 turns -0 into 0
	}
	return modelfile.ID(b)
}

// Kinds of data for DataID.
const (
	DataNumbers = "numbers" // with a density
	DataLabels  = "labels"  // 0 or 1 each
	DataCounts  = "counts"
)
