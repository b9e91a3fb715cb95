package state

import (
	"fmt"
	"hash/crc32"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// ResultPrefix begins the code of a finished result; link, values and checksum follow.
const ResultPrefix = "result=1&"

// LinkWithoutSeed returns the link of an experiment without its seed.
func LinkWithoutSeed(s *spec.Spec) string {
	x := *s
	x.Seed = 1
	return x.Link()
}

// ResultCode returns the finished result as a text that can be sent to others, or "" before the end.
func (s *Snapshot) ResultCode() string {
	if !s.Begun() || s.State != runstate.Done {
		return ""
	}
	var code strings.Builder
	code.WriteString(ResultPrefix + s.Spec.Link())
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
	return code.String() + CodeChecksum(code.String())
}

// CodeChecksum returns the checksum at the end of a code, which detects truncation and typing errors.
func CodeChecksum(s string) string { return fmt.Sprintf("&sum=%08x", crc32.ChecksumIEEE([]byte(s))) }
