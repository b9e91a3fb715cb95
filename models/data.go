package models

import (
	"encoding/binary"
	"math"

	"logzlab/core/modelfile"
)

// DataID tells data apart by their bits. kind is what their probability is a density of, or a mass: only of one kind
// are they the same data.
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
