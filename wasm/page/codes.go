package page

import (
	"fmt"
	"hash/crc32"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// ResultMark begins the code of a finished result; its link, numbers and checksum follow.
const ResultMark = "result=1&"

// codes are results of one experiment under different seeds, which others sent as texts. No server is needed for it.
type codes struct {
	of    string                          // link of the experiment, without its seed
	runs  map[uint32][]*estimators.Result // by the seed, for each method
	seeds []uint32                        // as they came
	by    map[string]uint32               // by the hashes of the digits
	says  string                          // what became of the last code
	qr    qrCode
}

// unseeded is the link of an experiment without its seed.
func unseeded(s *spec.Spec) string {
	x := *s
	x.Seed = 1
	return x.Link()
}

// resultCode is the finished result as a text to be sent, "" before the end.
func (b *Brain) resultCode() string {
	if b.job == nil || b.state != "done" {
		return ""
	}
	var s strings.Builder
	s.WriteString(ResultMark + b.spec.Link())
	for _, r := range b.reports.All(0) {
		if !report.IsNumber(r.LogZ) {
			return ""
		}
		se := "" // unknown
		if report.IsNumber(r.SE) {
			se = spec.Decimal(float64(r.SE))
		}
		s.WriteString("&result." + r.Method + "=" + spec.Decimal(float64(r.LogZ)) + "_" + se + "_" + r.Hash)
	}
	return s.String() + sumOf(s.String())
}

// sumOf ends a code, so that one that was cut or mistyped is found out.
func sumOf(s string) string { return fmt.Sprintf("&sum=%08x", crc32.ChecksumIEEE([]byte(s))) }

// readCode is the experiment and the results of a code. It is ok unless the code is damaged.
func readCode(text string, names catalog.Names) (s *spec.Spec, runs []*estimators.Result, hashes string, ok bool) {
	text = strings.Join(strings.Fields(text), "")
	if i := strings.Index(text, ResultMark); i > 0 {
		text = text[i:]
	}
	body, _, _ := strings.Cut(text, "&sum=")
	rest, marked := strings.CutPrefix(body, ResultMark)
	if !marked || body+sumOf(body) != text {
		return
	}
	parts := strings.Split(rest, "&result.")
	s, err := spec.ParseLink(parts[0], names)
	if err != nil || len(parts) != 1+len(s.Methods) {
		return
	}
	for i, part := range parts[1:] {
		method, value, _ := strings.Cut(part, "=")
		f := strings.Split(value, "_")
		if len(f) != 3 || method != s.Methods[i] {
			return
		}
		r := &estimators.Result{SE: float64(report.NaN)}
		if r.LogZ, err = strconv.ParseFloat(f[0], 64); err == nil && f[1] != "" {
			r.SE, err = strconv.ParseFloat(f[1], 64)
		}
		if err != nil || !num.Finite(r.LogZ) || r.SE < 0 || r.SE > 1e300 {
			return
		}
		runs, hashes = append(runs, r), hashes+f[2]
	}
	return s, runs, hashes, true
}

// takeCode adds a result to those here, or says why not.
func (b *Brain) takeCode(text string) {
	b.views.atOnce()
	if b.panels.sheet != "share" {
		b.open("share")
	}
	if b.spec == nil || strings.TrimSpace(text) == "" {
		return
	}
	p := &b.codes
	b.gatherOwn()
	s, runs, hashes, ok := readCode(text, b.names())
	same, again := p.by[hashes]
	switch {
	case !ok:
		p.says = b.words.T("codes.damaged")
	case unseeded(s) != p.of:
		p.says = b.words.T("codes.other")
	case p.runs[s.Seed] != nil:
		p.says = b.words.T("codes.twice", s.Seed)
	case again: // somebody wrote another seed to it
		p.says = b.words.T("codes.same", same)
	default:
		p.add(s.Seed, runs, hashes)
		p.says = b.words.T("codes.taken", s.Seed)
	}
}

// gatherOwn begins anew for another experiment, and takes this page's own result in.
func (b *Brain) gatherOwn() {
	p := &b.codes
	if of := unseeded(b.spec); p.of != of || p.runs == nil {
		*p = codes{of: of, runs: map[uint32][]*estimators.Result{}, by: map[string]uint32{}}
	}
	if s, runs, hashes, ok := readCode(b.resultCode(), b.names()); ok && p.runs[s.Seed] == nil {
		p.add(s.Seed, runs, hashes)
	}
}

func (p *codes) add(seed uint32, runs []*estimators.Result, hashes string) {
	p.runs[seed], p.by[hashes], p.seeds = runs, seed, append(p.seeds, seed)
}

// codesSheet is what the share sheet says of results without a server: the own one as a code, and those of others.
func (p *pane) codesSheet() HTML {
	w := p.w
	kids := []HTML{tagText("summary", w.T("codes")), tagText(`p class="why"`, w.T("codes.why"))}
	if code := p.resultCode(); code != "" {
		kids = append(kids, tagText(`code class="link" id="result-code"`, code),
			tag(`div class="two"`, p.codes.qr.draw(code, w.T("codes.code"))), tag(`div class="pair"`,
				button("", "copy", "result", text(w.T("codes.copy"))), button("", "export", "result", text(w.T("codes.file")))))
	}
	kids = append(kids, tag(`p class="joins"`, tagText(`label for="result"`, w.T("codes.paste")),
		tag(`input type="text" id="result" maxlength="20000" autocomplete="off"`)))
	if len(p.codes.runs) > 0 && p.codes.of == unseeded(p.spec) {
		kids = append(kids, p.codesTable())
	}
	return tag(`details class="codes" data-keep=""`, kids...)
}

// codesTable is the results of all, and what they give together.
func (p *pane) codesTable() HTML {
	w := p.w
	heads, seeds := []string{"seed"}, p.codes.seeds
	rows := [][]string{{w.T("codes.all", len(seeds))}}
	for i, m := range p.spec.Methods {
		heads = append(heads, label(m))
		var all []*estimators.Result
		for _, seed := range seeds {
			all = append(all, p.codes.runs[seed][i])
		}
		info, _ := catalog.Method(m)
		z, se := estimators.Pooled(all, info.Unbiased)
		rows[0] = append(rows[0], p.barred(z, se))
	}
	for _, seed := range seeds {
		row := []string{fmt.Sprint(seed)}
		for _, r := range p.codes.runs[seed] {
			row = append(row, p.barred(r.LogZ, r.SE))
		}
		rows = append(rows, row)
	}
	return p.table(heads, rows)
}
