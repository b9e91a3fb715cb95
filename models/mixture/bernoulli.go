package mixture

import (
	"math"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/models"
)

// BernoulliKind is the kind of Bernoulli mixtures.
var BernoulliKind = models.Kind{Name: "bmm", Label: "BMM", Title: "Bernoulli mixtures",
	Traits: models.Traits{Look: models.Pictures},
	Params: []spec.Param{},
	Reader: modelfile.Reader[models.File]{Fields: readBernoulli},
	Entries: []models.Entry{{Name: "bmm-digits", Truth: "closed form",
		About: "Ten blurred digits of 10 x 10 cells, the ten modes of a Bernoulli mixture, the smaller digits heavier.",
		Make:  func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return digitsMixture(), nil }}},
}

// BernoulliParams is a mixture of J components, each of M independent bits: Weights (length J, positive; their sum may
// differ from 1) and Probabilities of the bits (J x M, by rows).
type BernoulliParams struct {
	M             int     // number of bits
	LogC          float64 // log of the factor of the mixture, in nats
	Weights       []float64
	Probabilities []float64
	readNote      error // phrase about fields that were not read, or nil
}

// Kind returns BernoulliKind.
func (p BernoulliParams) Kind() *models.Kind { return &BernoulliKind }

// unsupportedBernoulli are fields of other formats that would change the model. A file with such a field is rejected
// with the help, unless the value is one of Harmless.
var unsupportedBernoulli = []modelfile.Unsupported{
	{Names: []string{"beta", "temperature", "t"}, Harmless: []any{1.}, Help: temperatureHelp},
	{Names: []string{"x", "xs", "y", "samples"}, Help: noDataHelp}, unsupportedWeights,
	{Names: []string{"couplings", "interactions", "j", "w", "b", "c", "bias", "biases"}, Harmless: []any{0.},
		Help: problem.New("the units of a component are independent")},
}

// readBernoulli reads a JSON file. Errors name the field and the range of its values.
func readBernoulli(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("bmm", unsupportedBernoulli)
	p := BernoulliParams{Weights: modelfile.Get(f, "weights", json.Value.Numbers),
		LogC: modelfile.Get(f, "logC", json.Value.Number)}
	rows := modelfile.Get(f, "probabilities", json.Value.Table)
	p.readNote = f.Unread()
	if f.Err != nil {
		return nil, f.Err
	}
	var err error
	if p.Probabilities, p.M, err = modelfile.Flat("bmm", "probabilities", rows); err != nil {
		return nil, err
	}
	if err := modelfile.Length("bmm", "weights", p.Weights, len(rows)); err != nil {
		return nil, err
	}
	for _, c := range []struct {
		name    string
		lo, hi  float64
		columns int
		x       []float64
	}{{"weights", 1e-300, 1e300, 0, p.Weights}, {"probabilities", 0, 1, p.M, p.Probabilities},
		{"logC", -1e6, 1e6, 0, []float64{p.LogC}}} {
		if err := modelfile.WithinRows("bmm", c.name, c.lo, c.hi, c.columns, c.x); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// digitRows has five rows of five cells for each digit; the highest bit is the leftmost cell.
var digitRows = [10][5]uint8{
	{0b01110, 0b10001, 0b10001, 0b10001, 0b01110}, {0b00100, 0b01100, 0b00100, 0b00100, 0b01110},
	{0b11110, 0b00001, 0b01110, 0b10000, 0b11111}, {0b11110, 0b00001, 0b01110, 0b00001, 0b11110},
	{0b10010, 0b10010, 0b11111, 0b00010, 0b00010}, {0b11111, 0b10000, 0b11110, 0b00001, 0b11110},
	{0b01110, 0b10000, 0b11110, 0b10001, 0b01110}, {0b11111, 0b00001, 0b00010, 0b00100, 0b00100},
	{0b01110, 0b10001, 0b01110, 0b10001, 0b01110}, {0b01110, 0b10001, 0b01111, 0b00001, 0b01110},
}

// digitsMixture returns the mixture of bmm-digits: each cell of a digit is 2 x 2 units with probability 0.8 or 0.2; log
// Z = log 55.
func digitsMixture() BernoulliParams {
	p := BernoulliParams{M: 100}
	for d, rows := range digitRows {
		p.Weights = append(p.Weights, float64(len(digitRows)-d))
		for i := range p.M {
			prob := 0.20
			if rows[i/20]>>(4-i%10/2)&1 == 1 {
				prob = 0.80
			}
			p.Probabilities = append(p.Probabilities, prob)
		}
	}
	return p
}

// Bernoulli is a mixture of components of independent bits,
//
//	f(v) = exp(logC) sum_j w_j prod_i p_ji^v_i (1-p_ji)^(1-v_i),  log Z = logC + log sum_j w_j,
//
// since each product sums to 1 over all v. The path is geometric, from independent bits with the means of the mixture,
// clipped to [.05, .95]. The kernel is Gibbs sampling of one unit v_i after another. The p_ji are clipped to
// [1e-9, 1-1e-9], so that every v has a positive density; log Z does not depend on the p_ji.
type Bernoulli struct {
	info              models.Info
	units, components int       // numbers of bits and of components
	logWeights        []float64 // logC + log w_j
	probOn, probOff   []float64 // p_ji and 1 - p_ji, units x components by rows
	logProbOn         []float64 // log p_ji
	logProbOff        []float64 // log (1 - p_ji)
	baseRate          []float64 // probability of each unit under the base
	logRate           []float64 // log of the rate
	logRateOff        []float64 // log of 1 - rate
	baseLogit         []float64 // logit of the rate
}

// bernoulliOps is the number of operations for one unit of one component, to prepare it and to update it.
const bernoulliOps = 60

// Open makes the mixture. The units form a picture that is as nearly square as possible.
func (p BernoulliParams) Open(name, about string, _ spec.Values, w *meter.Meter) (models.Model, error) {
	j := len(p.Weights)
	m := &Bernoulli{units: p.M, components: j, info: models.Info{Name: name, Kind: "bmm", About: about, Dim: p.M,
		Understood: models.JoinPhrases(problem.New("%d components of %d independent units; logC = %v", j, p.M, p.LogC), p.readNote)}}
	if err := w.Take(bmmBytes(p.M, j), problem.New("a mixture of %d x %d numbers", p.M, j),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	for _, x := range []*[]float64{&m.probOn, &m.probOff, &m.logProbOn, &m.logProbOff} {
		*x = make([]float64, 0, p.M*j)
	}

	total := 0.0
	for _, weight := range p.Weights {
		total += weight
		m.logWeights = append(m.logWeights, p.LogC+num.Log(weight))
	}

	// Probabilities of the units, their logs, and base rates.
	w.Expect(bernoulliOps * float64(p.M) * float64(j))
	for i := range p.M {
		mean := 0.0
		for k, weight := range p.Weights {
			if err := w.Did(bernoulliOps); err != nil {
				return nil, err
			}
			q := min(max(p.Probabilities[k*p.M+i], 1e-9), 1-1e-9)
			mean += num.Mul(weight/total, q)
			m.probOn, m.probOff = append(m.probOn, q), append(m.probOff, 1-q)
			m.logProbOn, m.logProbOff = append(m.logProbOn, num.Log(q)), append(m.logProbOff, num.Log(1-q))
		}
		mean = min(max(mean, .05), .95)
		m.baseRate, m.logRate = append(m.baseRate, mean), append(m.logRate, num.Log(mean))
		m.logRateOff = append(m.logRateOff, num.Log(1-mean))
		m.baseLogit = append(m.baseLogit, num.Logit(mean))
	}

	// Shape of the picture.
	m.info.W = int(math.Ceil(math.Sqrt(float64(p.M))))
	m.info.H = (p.M + m.info.W - 1) / m.info.W
	return m, nil
}

// Info returns the description of the model.
func (m *Bernoulli) Info() models.Info { return m.info }

// LogZ0 returns 0, because the base is normalised.
func (m *Bernoulli) LogZ0() float64 { return 0 }

// Capabilities returns exact values, and the heaviest component as a lower bound.
func (m *Bernoulli) Capabilities() models.Capabilities {
	c := models.Capabilities{Cost: m.Cost}
	c.Exact.Truth, c.Exact.Means, c.Bounds.Floor = m.Truth, m.Means, m.Floor
	return c
}

// Truth returns logC + log sum_j w_j.
func (m *Bernoulli) Truth() *models.Truth {
	return &models.Truth{LogZ: num.LogSumExp(m.logWeights), Source: "closed form"}
}

// Means returns E[v_i] = sum_j w_j p_ji / sum_j w_j.
func (m *Bernoulli) Means() []float64 {
	total, out := num.LogSumExp(m.logWeights), make([]float64, m.units)
	for i := range out {
		for k, l := range m.logWeights {
			out[i] += num.Mul(num.Exp(l-total), m.probOn[i*m.components+k])
		}
	}
	return out
}

// bernoulliRows are the rows of a Bernoulli mixture (models.Population).
type bernoulliRows struct {
	m            *Bernoulli
	ladder       []float64
	v            []uint8   // units by rows
	terms        []float64 // for each row and component j, log of w_j times the probability of v
	logF0, logF1 []float64 // log f_0 and log f of each row, in nats
	otherTerms   []float64 // terms of a row without the unit that is drawn
}

// New returns n rows, all 0, over a ladder.
func (m *Bernoulli) New(n int, ladder []float64) models.Population {
	p := &bernoulliRows{m: m, ladder: ladder, v: make([]uint8, n*m.units), terms: make([]float64, n*m.components),
		logF0: make([]float64, n), logF1: make([]float64, n), otherTerms: make([]float64, m.components)}
	for r := range n {
		p.refresh(r)
	}
	return p
}

// row returns the units of row r.
func (p *bernoulliRows) row(r int) []uint8 { return p.v[r*p.m.units : (r+1)*p.m.units] }

// refresh recomputes the terms and the log densities of row r from its units, so that rounding errors do not
// accumulate.
func (p *bernoulliRows) refresh(r int) {
	m, terms := p.m, p.terms[r*p.m.components:(r+1)*p.m.components]
	copy(terms, m.logWeights)
	l0 := 0.0
	for i, x := range p.row(r) {
		logs, base := m.logProbOff, m.logRateOff[i]
		if x != 0 {
			logs, base = m.logProbOn, m.logRate[i]
		}
		l0 += base
		for k, l := range logs[i*m.components : (i+1)*m.components] {
			terms[k] += l
		}
	}
	p.logF0[r], p.logF1[r] = l0, num.LogSumExp(terms)
}

// Draw sets every row to an independent sample of the base.
func (p *bernoulliRows) Draw(at rng.At) {
	for r := range p.logF0 {
		s := at.Row(r)
		for i := range p.row(r) {
			p.row(r)[i] = drawBit(&s, p.m.baseRate[i])
		}
		p.refresh(r)
	}
}

// drawBit returns 1 with probability prob, otherwise 0.
func drawBit(s *rng.Stream, prob float64) uint8 {
	if s.Float64() < prob {
		return 1
	}
	return 0
}

// RowCapabilities returns moments and exact sampling.
func (p *bernoulliRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{AddMoments: p.AddMoments, DrawTarget: p.DrawTarget}
}

// AddMoments adds the values of the units.
func (p *bernoulliRows) AddMoments(sum, squares []float64, r int, weight float64) {
	for i, x := range p.row(r) {
		sum[i] += num.Mul(weight, float64(x))
		squares[i] += num.Mul(weight, float64(x))
	}
}

// DrawTarget sets every row to an exact sample: a component drawn by its weight, then its bits. It does not need the
// blocks.
func (p *bernoulliRows) DrawTarget(at rng.At, _ []float64, proceed func() bool) {
	for r := range p.logF0 {
		s := at.Row(r)
		k := s.Categorical(p.m.logWeights)
		for i := range p.row(r) {
			p.row(r)[i] = drawBit(&s, p.m.probOn[i*p.m.components+k])
		}
		p.refresh(r)
		if proceed != nil && !proceed() {
			return
		}
	}
}

// Move applies a Gibbs sweep to each row. If reversed is true, it visits the units in the opposite order, which
// reverses the kernel. Let e_j be w_j times the probability of all other units under component j. Then unit i is on
// with log odds
//
//	(1-beta) logit(rate_i) + beta log(sum_j e_j p_ji / sum_j e_j (1-p_ji)).
func (p *bernoulliRows) Move(at rng.At, rung []int32, reversed bool) {
	m := p.m
	for r, rung := range rung {
		s, v, terms, beta := at.Row(r), p.row(r), p.terms[r*m.components:(r+1)*m.components], p.ladder[rung]
		for t := range v {
			meter.Pulse(bernoulliOps * float64(m.components))
			i := t
			if reversed {
				i = m.units - 1 - t
			}

			// Weights of the components without unit i.
			logOn, logOff := m.logProbOn[i*m.components:(i+1)*m.components], m.logProbOff[i*m.components:(i+1)*m.components]
			oldLogs := logOff
			if v[i] != 0 {
				oldLogs = logOn
			}
			maxTerm := math.Inf(-1)
			for k := range terms {
				p.otherTerms[k] = terms[k] - oldLogs[k]
				maxTerm = max(maxTerm, p.otherTerms[k])
			}

			// Draw the unit.
			weightOn, weightOff := 0.0, 0.0
			for k, l := range p.otherTerms {
				e := num.Exp(l - maxTerm)
				weightOn += num.Mul(e, m.probOn[i*m.components+k])
				weightOff += num.Mul(e, m.probOff[i*m.components+k])
			}
			odds := num.Mul(1-beta, m.baseLogit[i]) + num.Mul(beta, num.Log(weightOn)-num.Log(weightOff))
			v[i] = drawBit(&s, num.Sigmoid(odds))

			// Add the unit's new state.
			logs := logOff
			if v[i] != 0 {
				logs = logOn
			}
			for k, l := range logs {
				terms[k] = p.otherTerms[k] + l
			}
		}
		p.refresh(r)
	}
}

// LogF writes (1-beta) log f_0 + beta log f of every row for the rungs lo..lo+n-1, in nats.
func (p *bernoulliRows) LogF(lo, n int, out []float64) {
	for r := range p.logF0 {
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(1-b, p.logF0[r]) + num.Mul(b, p.logF1[r])
		}
	}
}

// Read writes the pictures of rows 0..n-1; cells beyond the last unit have the value 2, for absent.
func (p *bernoulliRows) Read(n int, f *frame.Frame) {
	f.W, f.H = p.m.info.W, p.m.info.H
	size := f.W * f.H
	f.Pixels = num.Sized(f.Pixels, n*size)
	for r := range n {
		picture := f.Pixels[r*size : (r+1)*size]
		for i := copy(picture, p.row(r)); i < size; i++ {
			picture[i] = 2
		}
	}
}

// Copy makes row dst a copy of row src.
func (p *bernoulliRows) Copy(dst, src int) {
	copy(p.row(dst), p.row(src))
	p.refresh(dst)
}

// Append encodes the states of row r.
func (p *bernoulliRows) Append(r int, w *wire.Writer) { w.Bits(p.row(r)) }

// Load decodes row r as Append encoded it.
func (p *bernoulliRows) Load(r int, in *wire.Reader) {
	in.Bits(p.row(r))
	p.refresh(r)
}

// Floor returns the log Z of the heaviest component in nats, and its kind. It is a lower bound, because f is at least
// the density of this component everywhere.
func (m *Bernoulli) Floor(func() bool) (float64, string) {
	best := math.Inf(-1)
	for _, w := range m.logWeights {
		best = max(best, w)
	}
	return best, models.FloorComponent
}
