package external

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/version"
	"logzlab/estimators"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// How error bars were made.
const (
	SECorrelated  = "correlated samples"
	SEIndependent = "independent samples"
	SERuns        = "between runs"
	SEVolumes     = "shrinkage of volumes"
)

// Diagnostic numbers of given samples.
const (
	DiagDrift     diag.Number = "drift"           // of the halves of all chains, in error bars
	DiagStart     diag.Number = "start"           // of the first tenths, in error bars
	DiagDriftRung diag.Number = "drift_rung"      // the largest of one rung, in its own
	DiagEffective diag.Number = "n_eff_min"       // of the rungs that matter, or of all points
	DiagDF        diag.Number = "error_df"        // degrees of freedom of the error bar
	DiagShare     diag.Number = "error_share"     // the largest part of a rung in the variance
	DiagTail      diag.Number = "prior_tail"      // of the weights towards a prior that nobody sampled
	DiagLive      diag.Number = "live_points"     // where Z is
	DiagRanks     diag.Number = "rank_distance"   // of insertion ranks, in those that 1 % of runs exceed
	DiagSlope     diag.Number = "neighbour_slope" // between densities of neighbours by their samples, 1 if all is well
	DiagMisfit    diag.Number = "misfit"          // of that slope, in its error bars
	DiagEvery     diag.Number = "sample_every"    // of which one was used
	DiagBurnIn    diag.Number = "burn_in"         // samples left out in all
	DiagSamples   diag.Number = "samples"         // kept
	DiagHalves    diag.Number = "halves"          // of draws, how far log Z of them lies apart, in error bars
	DiagDensity   diag.Number = "lp_spread"       // of the log density in a file less that of the program
	DiagDivergent diag.Number = "divergent"       // draws after transitions that went astray
)

// File is a file that was read.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

func fileOf(name string, data []byte) File {
	h := sha256.New()
	for some := range slices.Chunk(data, 1<<18) {
		meter.Pulse(8 * float64(len(some)))
		h.Write(some)
	}
	return File{name, hex.EncodeToString(h.Sum(nil))}
}

// Rung is what samples tell of one rung.
type Rung struct {
	Label        string         `json:"rung"`
	Power        verdict.Number `json:"beta"` // null where a state has several components
	LogZ         verdict.Number `json:"logz"` // minus that of the base; of sums: of the stone
	SE           verdict.Number `json:"se"`   // the part of the rung in the error of log Z
	Share        verdict.Number `json:"share"`
	Samples      int            `json:"samples"`
	BurnIn       int            `json:"burn_in"`
	Inefficiency verdict.Number `json:"inefficiency"`
	Effective    verdict.Number `json:"n_eff"`
	Overlap      verdict.Number `json:"overlap"` // with the next rung
}

// FreeEnergy is the difference of free energies, target minus base: -log Z in units.
type FreeEnergy struct {
	KT     verdict.Number `json:"kt"`
	KJ     verdict.Number `json:"kj_mol"`
	KCal   verdict.Number `json:"kcal_mol"`
	SE     verdict.Number `json:"kt_se"`
	SEKJ   verdict.Number `json:"kj_mol_se"`
	SEKCal verdict.Number `json:"kcal_mol_se"`
}

// Advice is what to run next, with the error bar that it is predicted to give.
type Advice struct {
	What   string         `json:"what"` // rungs, samples, draws or live (points)
	From   string         `json:"from,omitempty"`
	To     string         `json:"to,omitempty"`
	Add    int            `json:"add,omitempty"`    // rungs
	Factor float64        `json:"factor,omitempty"` // times as many samples, draws or live points
	SE     verdict.Number `json:"se"`
}

// Report is the JSON of one method on given samples (contract.md, Samples of other programs).
type Report struct {
	V           int                            `json:"v"`
	Version     string                         `json:"version"` // of the program
	Model       *string                        `json:"model"`   // null: there is none
	Link        *string                        `json:"link"`
	Method      string                         `json:"method"`
	Source      string                         `json:"source"`
	Files       []File                         `json:"files"`
	Units       string                         `json:"units"`
	Temperature verdict.Number                 `json:"temperature"`
	Understood  []string                       `json:"understood"`
	Params      map[string]string              `json:"params"`
	LogZ        verdict.Number                 `json:"logz"`
	SE          verdict.Number                 `json:"se"`
	SEMethod    string                         `json:"se_method"`
	Bias        string                         `json:"bias"`
	Lower       verdict.Number                 `json:"lower"`
	Upper       verdict.Number                 `json:"upper"`
	FreeEnergy  *FreeEnergy                    `json:"free_energy,omitempty"`
	Replicates  []verdict.Number               `json:"replicates,omitempty"`
	ReplicateSE []verdict.Number               `json:"replicate_se,omitempty"`
	Ladder      []Rung                         `json:"ladder"`
	Overlaps    []verdict.Numbers              `json:"overlaps,omitempty"` // matrix of mbar
	Diagnostics map[diag.Number]verdict.Number `json:"diagnostics"`
	Verdict     *verdict.Verdict               `json:"verdict"`
	Next        []Advice                       `json:"next,omitempty"`
	Hash        string                         `json:"hash"`

	Said []error `json:"-"` // phrases of Understood
}

// NewReport is a report without numbers.
func NewReport(s *samples.Set, method string, o Options) *Report {
	r := &Report{V: spec.Version, Version: version.Number, Method: method, Source: s.Source, Units: s.Units, Params: map[string]string{},
		Temperature: verdict.Number(s.Temperature), LogZ: verdict.NaN, SE: verdict.NaN, Lower: verdict.NaN,
		Upper: verdict.NaN, Ladder: []Rung{}, Diagnostics: map[diag.Number]verdict.Number{},
		Verdict:  &verdict.Verdict{Level: verdict.Trust},
		SEMethod: estimators.SENone, Files: []File{}}
	for _, p := range Params {
		if r.Params[p.Name] = p.Default; o.set[p.Name] != "" {
			r.Params[p.Name] = o.set[p.Name]
		}
	}
	return r
}

// runsCheck compares runs by the two that lie furthest apart.
func runsCheck(bars, off float64, z []float64) verdict.Check {
	return verdict.Check{Name: checkRuns, Value: verdict.Number(bars),
		OK:  bars <= RunsApart || off < estimators.HarmlessGap,
		Bad: bars > RunsFar && off > RunsNats, At: sumsOf(z), Text: estimators.FormatAgainst(bars, RunsApart, 1) + " bars",
		Needs: fmt.Sprintf("≤ %v", RunsApart), Means: runsMean, Do: runsDo}
}

// fill writes down what is known of each rung.
func (l *ladder) fill(r *Report, e *estimate, b *bar, beside *others) {
	total := sumOf(b.rungs)
	for k, rung := range l.rungs {
		out := Rung{Label: rung.Label, Power: verdict.NaN, LogZ: verdict.Number(e.z[k]),
			SE:    verdict.Number(math.Sqrt(b.rungs[k])),
			Share: verdict.Number(b.rungs[k] / total), Inefficiency: verdict.NaN, Effective: verdict.NaN, Overlap: verdict.NaN}
		if len(rung.At) == 1 {
			out.Power = verdict.Number(rung.At[0])
		}
		for _, c := range l.chains {
			if c.rung == k {
				out.Samples, out.BurnIn = out.Samples+c.n, out.BurnIn+c.burn
			}
		}
		if out.Samples > 0 {
			out.Inefficiency, out.Effective = verdict.Number(b.inefficiency[k]), verdict.Number(b.n[k])
		}
		if beside.bar != nil && k < l.top() {
			out.Overlap = verdict.Number(beside.bar.overlap[k])
		}
		r.Ladder = append(r.Ladder, out)
	}

	// Numbers of some methods: overlaps of all pairs, thinning, and the error bar of independent samples.
	for k := 0; e.overlaps != nil && k < len(l.rungs); k++ {
		r.Overlaps = append(r.Overlaps, verdict.Numbers(e.overlaps[k*len(l.rungs):(k+1)*len(l.rungs)]))
	}
	if e.every > 1 {
		r.Diagnostics[DiagEvery] = verdict.Number(e.every)
	}
	if num.Known(e.iid) {
		r.Diagnostics[estimators.DiagSEIID] = verdict.Number(e.iid)
	}
}

// kCal is a kcal in kJ.
const kCal = 4.184

// Finish adds what all reports have, where there is no ladder.
func (r *Report) Finish(s *samples.Set) { r.finish(s, nil) }

// finish adds what all reports have. l is nil where there is no ladder.
func (r *Report) finish(s *samples.Set, l *ladder) {
	r.Said = slices.Clone(s.Said)
	if l != nil {
		burned, kept := 0, 0
		for _, c := range l.chains {
			burned, kept = burned+c.burn, kept+c.n
		}
		r.Diagnostics[DiagBurnIn], r.Diagnostics[DiagSamples] = verdict.Number(burned), verdict.Number(kept)
		if said := l.burned(); said != nil {
			r.Said = append(r.Said, said)
		}
	}
	for _, said := range r.Said {
		r.Understood = append(r.Understood, said.Error())
	}
	if s.Kind == samples.States {
		kJ := verdict.NaN
		if num.Known(s.Temperature) {
			kJ = verdict.Number(samples.GasConstant * s.Temperature)
		}
		r.FreeEnergy = &FreeEnergy{KT: -r.LogZ, KJ: -r.LogZ * kJ, KCal: -r.LogZ * kJ / kCal, SE: r.SE, SEKJ: r.SE * kJ,
			SEKCal: r.SE * kJ / kCal}
	}
	r.seal()
}

// seal makes the hash: SHA-256 over the method, the SHA-256 of the files in the order given, the options and the bits
// of every number.
func (r *Report) seal() {
	b := []byte(r.Method)
	for _, f := range r.Files {
		b = append(b, f.SHA256...)
	}
	for _, key := range slices.Sorted(maps.Keys(r.Params)) {
		b = append(b, key+"="+r.Params[key]+";"...)
	}
	put := func(x verdict.Number) {
		bits := math.Float64bits(float64(x))
		if !verdict.IsNumber(x) {
			bits = 0x7FF8000000000000
		}
		b = binary.LittleEndian.AppendUint64(b, bits)
	}
	for _, x := range []verdict.Number{r.LogZ, r.SE, r.Lower, r.Upper} {
		put(x)
	}
	for _, x := range slices.Concat(r.Replicates, r.ReplicateSE) {
		put(x)
	}
	for _, k := range r.Ladder {
		for _, x := range []verdict.Number{k.LogZ, k.SE, k.Inefficiency, k.Effective, k.Overlap} {
			put(x)
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(k.Samples))
	}
	sum := sha256.Sum256(b)
	r.Hash = hex.EncodeToString(sum[:8])
}

// JSON is one object, or an array where there are several methods.
func JSON(reports []*Report) []byte {
	if len(reports) == 1 {
		return verdict.Encode(reports[0])
	}
	return verdict.Encode(reports)
}

// Best is the report to read: of those with the best verdict the first.
func Best(reports []*Report) *Report {
	order := []string{verdict.Trust, verdict.Caution, verdict.Stop}
	best := reports[0]
	for _, r := range reports[1:] {
		if slices.Index(order, r.Verdict.Level) < slices.Index(order, best.Verdict.Level) {
			best = r
		}
	}
	return best
}
