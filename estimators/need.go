package estimators

import (
	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/models"
)

// Need is what a run takes, planned from its parameters and the cost of its model before any work: memory in bytes, at
// most, and time as in models.Cost, about.
type Need struct {
	Held   float64 // between rounds: states and partials of all lanes, records for the readers
	Lane   float64 // of a lane at work
	Lanes  float64 // how many can be at work at the same time
	Shared float64 // of the model: shared by all rows, with the tables of an enumeration if this run makes one
	Result float64 // of the results, which stay when the run is over
	Time   float64 // of all lanes, one after another
}

// And is the need of two runs, one after the other.
func (n Need) And(o Need) Need {
	n.Held, n.Shared, n.Time = max(n.Held, o.Held), max(n.Shared, o.Shared), n.Time+o.Time
	n.Lane, n.Lanes = max(n.Lane, o.Lane), max(n.Lanes, o.Lanes)
	return n
}

// Coding is what encoding takes for each byte of its result: memory grows by a quarter, and the old one stays a while.
const Coding = 2.5

// Costs are the costs of a model that several runs count with.
type Costs struct {
	models.Cost
	Blocks  int     // of the enumeration before exact samples of the target
	Picture float64 // bytes of the pictures of a lane
}

func (c Config) Costs() Costs {
	p := Costs{Cost: models.CostOf(c.Model)}
	if sum := models.Can(c.Model).Exact.Sum; sum != nil {
		p.Blocks, _ = sum.Blocks(models.MaxExactUnits)
	}
	info := c.Model.Info()
	p.Picture = 3 * MaxShown * float64(info.W*info.H)
	return p
}

// Lane is the memory of a lane of rows that keep some bytes each and are encoded to some bytes.
func (p Costs) Lane(rows, rungs int, keeps, coded float64) float64 {
	return p.Overhead + p.Picture + float64(rows)*(p.Row+keeps+Coding*coded) + float64(rungs)*(p.Rung+9)
}

// prepare is the time of the enumeration.
func (p Costs) prepare() float64 { return float64(p.Blocks) * p.Block }

// AddModel adds the model, and the enumeration before exact samples of its target.
func (n *Need) AddModel(p Costs) {
	n.Shared = p.Shared
	if p.Blocks > 0 {
		n.Shared += p.Tables
		n.Held += 40 * float64(p.Blocks)
	}
	n.Time += p.prepare()
}

// Need counts the means of the visible units over each block.
func (b *baseRates) Need() Need {
	p := Config{Model: b.m}.Costs()
	n := float64(b.rates.BaseBlocks())
	return Need{Lanes: float64(b.lanes().Count()), Shared: p.Shared + p.Tables, Time: 2 * p.prepare(),
		Held: 2 * n * (8*float64(b.m.Info().Dim) + 40), Lane: 64 * 1024}
}

// Need is the time of some climbs, whatever the model; they take less memory than a lane. An interval has tables.
func (f *floorRun) Need() Need {
	n := Need{Lanes: 1, Time: 50e6}
	if can := models.Can(f.m); can.Bounds.Narrow != nil {
		if can.Exact.Sum == nil || !can.Exact.Sum.ValueKnown() {
			n.Lane = f.most.Bytes
		}
		if f.most != models.QuickEffort {
			n.Time += entryTime * f.entries(f.most)
		}
	}
	return n
}

// An entry of the tables of an interval takes about entryTime nanoseconds and entryBytes; after some entriesAsked the
// run asks whether to go on.
const (
	entryTime    = 40
	entryBytes   = 2
	entriesAsked = 1 << 18
)

// entries are about those of all tables of an interval.
func (f *floorRun) entries(most factor.Effort) float64 {
	return min(num.Mul(float64(f.dim), most.Entries), most.Bytes/entryBytes)
}
