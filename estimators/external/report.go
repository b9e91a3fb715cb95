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

// Values of Report.SEMethod: how the error bar was computed.
const (
	SECorrelated  = "correlated samples"   // from the samples, with their autocorrelation
	SEIndependent = "independent samples"  // from the samples, as if they were independent
	SERuns        = "between runs"         // from the differences between runs
	SEVolumes     = "shrinkage of volumes" // from the random shrinkage of volumes in nested sampling
)

// Diagnostic numbers of reports on external samples; the comments say which quantity each one is.
const (
	DiagDrift     diag.Number = "drift"           // difference of the halves of all chains, in standard errors
	DiagStart     diag.Number = "start"           // difference of the first tenths and the rest, in standard errors
	DiagDriftRung diag.Number = "drift_rung"      // the largest drift of a single chain, in its own standard errors
	DiagEffective diag.Number = "n_eff_min"       // smallest number of effective samples of a rung that contributes to the error; of effective points in nested sampling
	DiagDF        diag.Number = "error_df"        // degrees of freedom of the error bar
	DiagShare     diag.Number = "error_share"     // largest share of a rung in the variance of log Z
	DiagTail      diag.Number = "prior_tail"      // tail index of the weights of the step to a prior without samples
	DiagLive      diag.Number = "live_points"     // mean number of live points, weighted by the contributions to Z
	DiagRanks     diag.Number = "rank_distance"   // distance of insertion ranks from uniform, relative to the 1 % critical value
	DiagSlope     diag.Number = "neighbour_slope" // slope of fitSlope, 1 if neighbouring rungs are consistent
	DiagMisfit    diag.Number = "misfit"          // distance of that slope from 1, in standard errors
	DiagEvery     diag.Number = "sample_every"    // every k-th sample was used, with this k
	DiagBurnIn    diag.Number = "burn_in"         // number of samples left out
	DiagSamples   diag.Number = "samples"         // number of samples used
	DiagHalves    diag.Number = "halves"          // difference between log Z from the two halves of the posterior draws, in standard errors
	DiagDensity   diag.Number = "lp_spread"       // standard deviation of lp__ in the file minus the program's log density
	DiagDivergent diag.Number = "divergent"       // number of posterior draws after divergent transitions
)

// File is the name and the hash of a file that was read.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// fileOf returns the name and hash of a file.
func fileOf(name string, data []byte) File {
	h := sha256.New()
	for chunk := range slices.Chunk(data, 1<<18) {
		meter.Pulse(8 * float64(len(chunk)))
		h.Write(chunk)
	}
	return File{name, hex.EncodeToString(h.Sum(nil))}
}

// Rung has the results of one rung.
type Rung struct {
	Label        string         `json:"rung"`
	Power        verdict.Number `json:"beta"`  // null if states have several components
	LogZ         verdict.Number `json:"logz"`  // log Z of the rung relative to the base; for step sums, log Z of the step
	SE           verdict.Number `json:"se"`    // contribution of the rung to the error of log Z
	Share        verdict.Number `json:"share"` // share of the rung in the variance of log Z
	Samples      int            `json:"samples"`
	BurnIn       int            `json:"burn_in"`
	Inefficiency verdict.Number `json:"inefficiency"`
	Effective    verdict.Number `json:"n_eff"`
	Overlap      verdict.Number `json:"overlap"` // with the next rung
}

// FreeEnergy is the free energy of the target minus that of the base, -log Z, in several units.
type FreeEnergy struct {
	KT     verdict.Number `json:"kt"`
	KJ     verdict.Number `json:"kj_mol"`
	KCal   verdict.Number `json:"kcal_mol"`
	SE     verdict.Number `json:"kt_se"`
	SEKJ   verdict.Number `json:"kj_mol_se"`
	SEKCal verdict.Number `json:"kcal_mol_se"`
}

// NextStep is a change of the next run, with the error bar SE of log Z that the change is predicted to give.
type NextStep struct {
	What   string         `json:"what"` // what to add: rungs, samples (at each rung), draws, or live (points)
	From   string         `json:"from,omitempty"`
	To     string         `json:"to,omitempty"`
	Add    int            `json:"add,omitempty"`    // number of new rungs
	Factor float64        `json:"factor,omitempty"` // factor for the number of samples, draws or live points
	SE     verdict.Number `json:"se"`
}

// Report is the JSON of one method on external samples (contract.md, Samples of other programs).
type Report struct {
	V           int                            `json:"v"`
	Version     string                         `json:"version"` // of the program
	Model       *string                        `json:"model"`   // always null
	Link        *string                        `json:"link"`
	Method      string                         `json:"method"`
	Source      string                         `json:"source"`
	Files       []File                         `json:"files"`
	Units       string                         `json:"units"`
	Temperature verdict.Number                 `json:"temperature"`
	Understood  []string                       `json:"understood"`
	Params      map[string]string              `json:"params"`
	LogZ        verdict.Number                 `json:"logz"` // relative to the base; for step sums: of the step
	SE          verdict.Number                 `json:"se"`
	SEMethod    string                         `json:"se_method"`
	Bias        string                         `json:"bias"`
	Lower       verdict.Number                 `json:"lower"`
	Upper       verdict.Number                 `json:"upper"`
	FreeEnergy  *FreeEnergy                    `json:"free_energy,omitempty"`
	Replicates  []verdict.Number               `json:"replicates,omitempty"`
	ReplicateSE []verdict.Number               `json:"replicate_se,omitempty"`
	Ladder      []Rung                         `json:"ladder"`
	Overlaps    []verdict.Numbers              `json:"overlaps,omitempty"` // overlap matrix of mbar
	Diagnostics map[diag.Number]verdict.Number `json:"diagnostics"`
	Verdict     *verdict.Verdict               `json:"verdict"`
	Next        []NextStep                     `json:"next,omitempty"`
	Hash        string                         `json:"hash"`

	Notes []error `json:"-"` // the phrases of Understood
}

// NewReport returns a report without results (numbers are NaN), with the options that were used.
func NewReport(s *samples.Set, method string, o Options) *Report {
	r := &Report{V: spec.Version, Version: version.Number, Method: method, Source: s.Source, Units: s.Units, Params: map[string]string{},
		Temperature: verdict.Number(s.Temperature), LogZ: verdict.NaN, SE: verdict.NaN, Lower: verdict.NaN,
		Upper: verdict.NaN, Ladder: []Rung{}, Diagnostics: map[diag.Number]verdict.Number{},
		Verdict:  &verdict.Verdict{Level: verdict.Trust},
		SEMethod: estimators.SENone, Files: []File{}}
	for _, p := range Params {
		if r.Params[p.Name] = p.Default; o.values[p.Name] != "" {
			r.Params[p.Name] = o.values[p.Name]
		}
	}
	return r
}

// runsCheck makes the check of the two runs that differ most, by gapInSE standard errors or gap nats. z has log Z of
// each run.
func runsCheck(gapInSE, gap float64, z []float64) verdict.Check {
	return verdict.Check{Name: checkRuns, Value: verdict.Number(gapInSE),
		OK:  gapInSE <= MaxRunGap || gap < estimators.HarmlessGap,
		Bad: gapInSE > StopRunGap && gap > StopRunNats, At: runSums(z), Text: estimators.FormatAgainst(gapInSE, MaxRunGap, 1) + " bars",
		Needs: fmt.Sprintf("≤ %v", MaxRunGap), Meaning: runsMeaning, Advice: runsAdvice}
}

// fill adds the results of each rung to the ladder of the report.
func (l *ladder) fill(r *Report, e *estimate, b *errorBar, peers *peerEstimates) {
	total := sumOf(b.rungVar)
	for k, rung := range l.rungs {
		out := Rung{Label: rung.Label, Power: verdict.NaN, LogZ: verdict.Number(e.z[k]),
			SE:    verdict.Number(math.Sqrt(b.rungVar[k])),
			Share: verdict.Number(b.rungVar[k] / total), Inefficiency: verdict.NaN, Effective: verdict.NaN, Overlap: verdict.NaN}
		if len(rung.At) == 1 {
			out.Power = verdict.Number(rung.At[0])
		}
		for _, c := range l.chains {
			if c.rung == k {
				out.Samples, out.BurnIn = out.Samples+c.n, out.BurnIn+c.burn
			}
		}
		if out.Samples > 0 {
			out.Inefficiency, out.Effective = verdict.Number(b.inefficiency[k]), verdict.Number(b.effective[k])
		}
		if peers.bar != nil && k < l.top() {
			out.Overlap = verdict.Number(peers.bar.overlap[k])
		}
		r.Ladder = append(r.Ladder, out)
	}

	// Results that only some methods have: overlap matrix, thinning, and the error bar for independent samples.
	for k := 0; e.overlapMatrix != nil && k < len(l.rungs); k++ {
		r.Overlaps = append(r.Overlaps, verdict.Numbers(e.overlapMatrix[k*len(l.rungs):(k+1)*len(l.rungs)]))
	}
	if e.thin > 1 {
		r.Diagnostics[DiagEvery] = verdict.Number(e.thin)
	}
	if num.NotNaN(e.iid) {
		r.Diagnostics[estimators.DiagSEIID] = verdict.Number(e.iid)
	}
}

// kCal is one kcal in kJ.
const kCal = 4.184

// Finish sets the notes and the hash of a report on samples without a ladder of rungs.
func (r *Report) Finish(s *samples.Set) { r.finish(s, nil) }

// finish sets the notes, the numbers of samples, the free energy (for samples in states) and the hash. l is nil if the
// samples have no ladder.
func (r *Report) finish(s *samples.Set, l *ladder) {
	r.Notes = slices.Clone(s.Notes)
	if l != nil {
		burned, kept := 0, 0
		for _, c := range l.chains {
			burned, kept = burned+c.burn, kept+c.n
		}
		r.Diagnostics[DiagBurnIn], r.Diagnostics[DiagSamples] = verdict.Number(burned), verdict.Number(kept)
		if note := l.burnInNote(); note != nil {
			r.Notes = append(r.Notes, note)
		}
	}
	for _, note := range r.Notes {
		r.Understood = append(r.Understood, note.Error())
	}
	if s.Kind == samples.States {
		kJ := verdict.NaN
		if num.NotNaN(s.Temperature) {
			kJ = verdict.Number(samples.GasConstant * s.Temperature)
		}
		r.FreeEnergy = &FreeEnergy{KT: -r.LogZ, KJ: -r.LogZ * kJ, KCal: -r.LogZ * kJ / kCal, SE: r.SE, SEKJ: r.SE * kJ,
			SEKCal: r.SE * kJ / kCal}
	}
	r.setHash()
}

// setHash computes the hash: SHA-256 over the method, the SHA-256 of the files in the given order, the options and the
// bits of every number.
func (r *Report) setHash() {
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

// JSON encodes one report as an object and several as an array.
func JSON(reports []*Report) []byte {
	if len(reports) == 1 {
		return verdict.Encode(reports[0])
	}
	return verdict.Encode(reports)
}

// Best returns the first of the reports whose verdict is the best, in the order trust, caution, stop.
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
