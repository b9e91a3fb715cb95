package state

import (
	"fmt"
	"hash/crc32"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// ResultMark begins the code of a finished result; its link, numbers and checksum follow.
const ResultMark = "result=1&"

// Unseeded is the link of an experiment without its seed.
func Unseeded(s *spec.Spec) string {
	x := *s
	x.Seed = 1
	return x.Link()
}

// ResultCode is the finished result as a text to be sent, "" before the end.
func (s *Snapshot) ResultCode() string {
	if !s.Begun() || s.State != runstate.Done {
		return ""
	}
	var code strings.Builder
	code.WriteString(ResultMark + s.Spec.Link())
	for _, r := range s.Reports {
		if !report.IsNumber(r.LogZ) {
			return ""
		}
		se := "" // unknown
		if report.IsNumber(r.SE) {
			se = spec.Decimal(float64(r.SE))
		}
		code.WriteString("&result." + r.Method + "=" + spec.Decimal(float64(r.LogZ)) + "_" + se + "_" + r.Hash)
	}
	return code.String() + SumOf(code.String())
}

// SumOf ends a code, so that one that was cut or mistyped is found out.
func SumOf(s string) string { return fmt.Sprintf("&sum=%08x", crc32.ChecksumIEEE([]byte(s))) }
