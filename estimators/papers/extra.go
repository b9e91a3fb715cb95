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

// pointRows holds the rows of a point with data that a table cannot hold.
type pointRows struct {
	Panel, Series, Link string
	Cost                float64 // expected cost; it distinguishes points with different numbers of Seeds, which have the same link
	Rows                []Row
}

// isOf reports whether the rows belong to point p, regardless of the number of seeds.
func (x *pointRows) isOf(p *Point) bool {
	return x.Panel == p.Panel && x.Series == p.Series && x.Link == canonical(p.Link)
}

// inTable reports whether a table can hold everything needed from the point's rows.
func (p *Point) inTable() bool { return p.Make == nil && p.Seeds == 0 || p.Kept }

// extraFile returns the name of the file of rows that a table cannot hold.
func (out *Outcome) extraFile(o Options) string { return filepath.Join(o.Dir, out.Name+".kept") }

// addRows adds the rows of a point to the results and, if a table cannot hold them, to extraRows.
func (out *Outcome) addRows(p Point, rows []Row) {
	out.Rows = append(out.Rows, rows...)
	SetReferences(out.Rows)
	rows = out.Rows[len(out.Rows)-len(rows):]
	setPaired(rows)
	if p.inTable() {
		return
	}
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].File, rows[i].Make, rows[i].Follow = nil, nil, nil
	}
	out.extraRows = slices.DeleteFunc(out.extraRows, func(x pointRows) bool { return x.isOf(&p) }) // remove rows with another number of seeds
	out.extraRows = append(out.extraRows, pointRows{p.Panel, p.Series, canonical(p.Link), p.Cost, rows})
}

// restoreRows returns the rows of point p that an earlier run has computed; earlier are the rows of its table. It
// returns nil if a row is missing.
func (out *Outcome) restoreRows(earlier []Row, p Point) (rows []Row) {
	if !p.inTable() {
		for _, x := range out.extraRows {
			if x.isOf(&p) && x.Cost == p.Cost {
				return x.Rows
			}
		}
		return nil
	}
	for _, line := range p.Lines() {
		i := slices.IndexFunc(earlier, line.produces)
		if i < 0 {
			return nil
		}
		row := earlier[i]
		row.Point, row.Params = line, LinkParams(line.Link, row.Method)
		rows = append(rows, row)
	}
	return rows
}

// readExtra reads extraRows from the file of an earlier run. If the file is corrupt, it reports that the points will be
// computed again.
func (out *Outcome) readExtra(o Options) error {
	b, err := disk.Read(out.extraFile(o), maxTable)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := gob.NewDecoder(bytes.NewReader(b)).Decode(&out.extraRows); err != nil {
		out.extraRows = nil
		o.Say(fmt.Sprintf("%s cannot be read (%v): its points are made again", out.extraFile(o), err), true)
	}
	return nil
}

// encodeRows encodes the file of rows that a table cannot hold.
func encodeRows(points []pointRows) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(points)
	return b.Bytes(), err
}
