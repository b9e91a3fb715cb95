package models

import (
	"encoding/binary"
	"math"

	"logzlab/core/files/modelfile"
)

// DataID is an id of data, made of their bits. kind says whether their probability is a mass or a density, and of what:
// data of different kinds have different ids.
func DataID(kind string, y ...float64) string {
	b := []byte(kind)
	for _, v := range y {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // no minus zero
	}
	return modelfile.ID(b)
}

// Kinds of data, for DataID.
const (
	DataNumbers = "numbers" // with a density
	DataLabels  = "labels"  // 0 or 1 each
	DataCounts  = "counts"
)
