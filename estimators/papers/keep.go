package papers

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"logzlab/core/files/disk"
)

// pointRows are the rows of a point that have more than a table can keep.
type pointRows struct {
	Panel, Series, Link string
	Cost                float64 // as expected: a link has no number of runs in turn
	Rows                []Row
}

// of reports whether the rows are those of a point, of whatever size.
func (x *pointRows) of(p *Point) bool {
	return x.Panel == p.Panel && x.Series == p.Series && x.Link == canonical(p.Link)
}

// tabled reports whether a table keeps all that is wanted of the point's rows.
func (p *Point) tabled() bool { return p.Make == nil && p.Seeds == 0 || p.Kept }

// keptFile has the rows of points that a table does not keep, for a run that goes on.
func (out *Outcome) keptFile(o Options) string { return filepath.Join(o.Dir, out.Name+".kept") }

// join adds the rows of a point, and remembers those that a table does not keep.
func (out *Outcome) join(p Point, rows []Row) {
	out.Rows = append(out.Rows, rows...)
	Refer(out.Rows)
	rows = out.Rows[len(out.Rows)-len(rows):]
	pair(rows)
	if p.tabled() {
		return
	}
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].File, rows[i].Make, rows[i].Follow = nil, nil, nil
	}
	out.whole = slices.DeleteFunc(out.whole, func(x pointRows) bool { return x.of(&p) }) // of another size
	out.whole = append(out.whole, pointRows{p.Panel, p.Series, canonical(p.Link), p.Cost, rows})
}

// kept are the rows of an earlier run that the point would make again, nil if one is missing.
func (out *Outcome) kept(before []Row, p Point) (rows []Row) {
	if !p.tabled() {
		for _, x := range out.whole {
			if x.of(&p) && x.Cost == p.Cost {
				return x.Rows
			}
		}
		return nil
	}
	for _, line := range p.Lines() {
		i := slices.IndexFunc(before, line.makes)
		if i < 0 {
			return nil
		}
		row := before[i]
		row.Point, row.Params = line, Named(line.Link, row.Method)
		rows = append(rows, row)
	}
	return rows
}

// readKept reads the rows that join has remembered; a damaged file has none, and its points are made again.
func (out *Outcome) readKept(o Options) error {
	b, err := disk.Read(out.keptFile(o), mostTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&out.whole); err != nil {
		out.whole = nil
		o.Say(fmt.Sprintf("%s cannot be read (%v): its points are made again", out.keptFile(o), err), true)
	}
	return nil
}

// coded are the bytes of the file of rows that a table does not keep.
func coded(whole []pointRows) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(whole)
	return b.Bytes(), err
}
