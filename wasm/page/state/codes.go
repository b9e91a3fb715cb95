package state

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
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
	return ResultCodeOf(s.Spec, s.Reports)
}

// ResultCodeOf returns the code of a finished experiment: the prefix, its link, log Z, standard error and hash of each
// method, and a checksum. It returns "" if a method has no log Z.
func ResultCodeOf(s *spec.Spec, reports []*report.Report) string {
	var code strings.Builder
	code.WriteString(ResultPrefix + s.Link())
	for _, r := range reports {
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

// CodedResult is what a result code says.
type CodedResult struct {
	Spec   *spec.Spec
	Runs   []*estimators.Result // of each method of Spec: LogZ, and SE, which is NaN if unknown
	Hashes []string             // hashes of the results of the methods
}

// ReadResultCode reads a code that ResultCode returned; it may have blanks, line breaks and other text before it. names
// has the model of the code if that is a file. ok is false if the code is damaged or its experiment is not valid.
func ReadResultCode(text string, names catalog.Names) (c CodedResult, ok bool) {
	text = strings.Join(strings.Fields(text), "")
	if i := strings.Index(text, ResultPrefix); i > 0 {
		text = text[i:]
	}

	// The prefix and the checksum.
	body, _, _ := strings.Cut(text, "&sum=")
	content, hasPrefix := strings.CutPrefix(body, ResultPrefix)
	if !hasPrefix || body+CodeChecksum(body) != text {
		return
	}

	// The experiment.
	parts := strings.Split(content, "&result.")
	s, err := spec.ParseLink(parts[0], names)
	if err != nil || len(parts) != 1+len(s.Methods) {
		return
	}
	c.Spec = s

	// Estimate, error bar and hash for each method.
	for i, part := range parts[1:] {
		method, value, _ := strings.Cut(part, "=")
		fields := strings.Split(value, "_")
		if len(fields) != 3 || method != s.Methods[i] {
			return
		}
		r := &estimators.Result{SE: float64(report.NaN)}
		if r.LogZ, err = strconv.ParseFloat(fields[0], 64); err == nil && fields[1] != "" {
			r.SE, err = strconv.ParseFloat(fields[1], 64)
		}
		if err != nil || !num.Finite(r.LogZ) || r.SE < 0 || r.SE > 1e300 {
			return
		}
		c.Runs, c.Hashes = append(c.Runs, r), append(c.Hashes, fields[2])
	}
	return c, true
}
