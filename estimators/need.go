package estimators

import (
	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/models"
)

// Need is the planned cost of a run: an upper bound of the memory in bytes, and the approximate time in nanoseconds on
// the device of models.Cost.
type Need struct {
	Retained float64 // memory between rounds: states and partials of all lanes, and records for the estimates
	Lane     float64 // memory of a lane while it runs
	Lanes    float64 // number of lanes that can run at the same time
	Shared   float64 // memory of the model, including the tables of an enumeration if the run makes one
	Result   float64 // memory of the results, which remain after the run
	Time     float64 // time of all lanes, one after another
}

// Then returns the need of run n followed by run o.
func (n Need) Then(o Need) Need {
	n.Retained, n.Shared, n.Time = max(n.Retained, o.Retained), max(n.Shared, o.Shared), n.Time+o.Time
	n.Lane, n.Lanes = max(n.Lane, o.Lane), max(n.Lanes, o.Lanes)
	return n
}

// EncodingFactor is the memory that encoding takes per byte of its result: a buffer that is full is copied to a buffer
// larger by a quarter, and the old buffer is not freed at once.
const EncodingFactor = 2.5

// Costs are the costs of a model, for planning runs.
type Costs struct {
	models.Cost
	Blocks  int     // blocks of the enumeration that exact draws of the target need
	Picture float64 // bytes of the pictures of a lane
}

// Costs returns the costs of the model of c.
func (c Config) Costs() Costs {
	p := Costs{Cost: models.CostOf(c.Model)}
	if sum := models.CapabilitiesOf(c.Model).Exact.Sum; sum != nil {
		p.Blocks, _ = sum.Blocks(models.MaxExactUnits)
	}
	info := c.Model.Info()
	p.Picture = 3 * MaxShown * float64(info.W*info.H)
	return p
}

// Lane returns the memory in bytes of a lane of rows on a ladder of rungs. Each row takes rowBytes in addition to its
// state, and is encoded to encodedBytes.
func (p Costs) Lane(rows, rungs int, rowBytes, encodedBytes float64) float64 {
	return p.Overhead + p.Picture + float64(rows)*(p.Row+rowBytes+EncodingFactor*encodedBytes) + float64(rungs)*(p.Rung+9)
}

// enumerationTime returns the time of the enumeration in nanoseconds.
func (p Costs) enumerationTime() float64 { return float64(p.Blocks) * p.Block }

// AddModel adds the memory of the model, and memory and time of the enumeration that exact draws of the target need.
func (n *Need) AddModel(p Costs) {
	n.Shared = p.Shared
	if p.Blocks > 0 {
		n.Shared += p.Tables
		n.Retained += 40 * float64(p.Blocks)
	}
	n.Time += p.enumerationTime()
}

// Need counts the stored means of the visible units over each block.
func (b *baseRates) Need() Need {
	p := Config{Model: b.m}.Costs()
	n := float64(b.rates.BaseBlocks())
	return Need{Lanes: float64(b.lanes().Count()), Shared: p.Shared + p.Tables, Time: 2 * p.enumerationTime(),
		Retained: 2 * n * (8*float64(b.m.Info().Dim) + 40), Lane: 64 * 1024}
}

// Need counts a fixed time for the lower bound by climbing, and memory and time of the tables of structured bounds.
func (f *floorRun) Need() Need {
	n := Need{Lanes: 1, Time: 50e6}
	if capabilities := models.CapabilitiesOf(f.m); capabilities.Bounds.Narrow != nil {
		if capabilities.Exact.Sum == nil || !capabilities.Exact.Sum.ValueKnown() {
			n.Lane = f.effort.Bytes
		}
		if f.effort != models.QuickEffort {
			n.Time += entryTime * f.entries(f.effort)
		}
	}
	return n
}

// Tables of structured bounds take about entryTime nanoseconds and entryBytes per entry. The run checks whether to stop
// every entriesPerCheck entries.
const (
	entryTime       = 40
	entryBytes      = 2
	entriesPerCheck = 1 << 18
)

// entries returns the approximate number of entries of all tables of structured bounds.
func (f *floorRun) entries(effort factor.Effort) float64 {
	return min(num.Mul(float64(f.dim), effort.Entries), effort.Bytes/entryBytes)
}
