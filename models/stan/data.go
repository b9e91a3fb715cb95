package stan

import (
	"bytes"
	"math"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/files/json"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// maxData is the largest size of the data in bytes.
const maxData = 50 << 20

// source provides the data of a program.
type source interface {
	// read returns the numbers of a variable by rows; ok is false if the data have no variable of this name.
	read(d *syntax.Decl, dims []int) (x []float64, ok bool, err error)
}

// openData reads data: a JSON object or a table.
func openData(data []byte) source {
	if len(data) > maxData {
		lang.Fail(-1, problem.New("the data have %d bytes; at most %d are read", len(data), maxData))
	}
	text := bytes.TrimSpace(data)
	if len(text) == 0 {
		return jsonData{}
	}
	if text[0] == '{' {
		o, err := json.ReadObject(data, nil)
		if err != nil {
			lang.Fail(-1, problem.New("the data are not valid JSON: %w", err))
		}
		return jsonData(o)
	}
	if at := bytes.Index(data, []byte("<-")); at >= 0 {
		lang.Fail(-1, problem.New("line %d of the data: this is an R dump; convert it to JSON such as {\"N\": 3, \"y\": "+
			"[1, 2, 3]}, with write_stan_json or jsonlite in R", 1+bytes.Count(data[:at], []byte("\n"))))
	}
	table := csv.ReadColumns(data, nil)
	if table == nil || table.Names == nil {
		lang.Fail(-1, problem.New("the data are neither a JSON object such as {\"N\": 3, \"y\": [1, 2, 3]} nor a table "+
			"whose first line names the variables"))
	}
	if err := table.Check(); err != nil {
		lang.Fail(-1, err)
	}
	return &tableData{table, map[string]int{}}
}

// jsonData is a JSON object with a field for each variable.
type jsonData json.Object

func (o jsonData) read(d *syntax.Decl, dims []int) ([]float64, bool, error) {
	v, ok := o[d.Name]
	if !ok {
		return nil, false, nil
	}
	if len(dims) == 0 || lang.Product(dims) == 1 && !v.IsList() {
		x, err := jsonNumber(v)
		return []float64{x}, true, err
	}
	x, err := jsonNumbers(nil, v, dims, d.Type.Base == lang.MatrixType && d.Type.Depth == 0)
	return x, true, err
}

// jsonNumber reads a number; NaN and infinities are strings.
func jsonNumber(v json.Value) (float64, error) {
	if v.IsList() { // R writes a number as a list with one element
		if items, err := v.List(); err == nil && len(items) == 1 {
			v = items[0]
		}
	}
	if text, err := v.Text(); err == nil {
		switch strings.ToLower(text) {
		case "nan":
			return math.NaN(), nil
		case "inf", "+inf", "infinity", "+infinity":
			return math.Inf(1), nil
		case "-inf", "-infinity":
			return math.Inf(-1), nil
		}
	}
	return v.Number()
}

var errShape = problem.New("the lists in it do not have the declared sizes")

// jsonNumbers appends the numbers of nested lists of the given sizes.
func jsonNumbers(out []float64, v json.Value, dims []int, matrix bool) ([]float64, error) {
	if len(dims) == 1 {
		if x, err := v.Numbers(); err == nil {
			if len(x) != dims[0] {
				return nil, problem.New("it has %d elements, not %d", len(x), dims[0])
			}
			return append(out, x...), nil
		}
	}

	// A list of the first size.
	items, err := v.List()
	if err != nil {
		return nil, err
	}
	if len(items) == 0 && lang.Product(dims) == 0 {
		return out, nil
	}
	if len(items) != dims[0] {
		return nil, problem.New("it has %d elements, not %d", len(items), dims[0])
	}

	// The items: numbers or inner lists.
	for _, item := range items {
		if len(dims) == 1 {
			x, err := jsonNumber(item)
			if err != nil {
				return nil, err
			}
			out = append(out, x)
			continue
		}
		if !item.IsList() && dims[1] == 1 && len(dims) == 2 { // a matrix of one column, written as a list
			x, err := jsonNumber(item)
			if err != nil {
				return nil, errShape
			}
			out = append(out, x)
			continue
		}
		if out, err = jsonNumbers(out, item, dims[1:], matrix); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// tableData is a table: a variable is a column, a matrix the columns X.1, X.2 and so on. An int without a column is the
// number of rows, or of such columns.
type tableData struct {
	table *csv.Columns
	sizes map[string]int
}

// inferSizes infers ints without columns, which are sizes of variables that have columns.
func (t *tableData) inferSizes(list []*syntax.Stmt) {
	for _, s := range list {
		d := s.Decl
		sizes := append(append([]*syntax.Expr(nil), d.Dims...), d.Sizes...)
		if len(sizes) == 0 {
			continue
		}
		columns := t.columnCount(d.Name)
		if t.find(d.Name) < 0 && columns == 0 {
			continue
		}
		if e := sizes[0]; e.Kind == syntax.NameNode {
			t.sizes[e.Name] = len(t.table.Rows)
		}
		if len(sizes) == 2 && sizes[1].Kind == syntax.NameNode && columns > 0 {
			t.sizes[sizes[1].Name] = columns
		}
	}
}

// find returns the index of a column, or -1.
func (t *tableData) find(name string) int { return t.table.Find(strings.ToLower(name)) }

// columnCount counts the columns name.1, name.2 and so on.
func (t *tableData) columnCount(name string) int {
	n := 0
	for t.find(name+elementSuffix(n+1)) >= 0 {
		n++
	}
	return n
}

// elementSuffix returns ".i".
func elementSuffix(i int) string { return "." + lang.FormatNumber(tape.Const(float64(i))) }

func (t *tableData) read(d *syntax.Decl, dims []int) ([]float64, bool, error) {
	if len(dims) == 2 && t.find(d.Name) < 0 {
		n := t.columnCount(d.Name)
		if n != dims[1] || len(t.table.Rows) != dims[0] {
			return nil, n > 0, problem.New("the table has %d rows and %d columns for it, not %d and %d", len(t.table.Rows), n,
				dims[0], dims[1])
		}
		out := make([]float64, dims[0]*dims[1])
		for j := range n {
			x, err := t.table.Numbers(t.find(d.Name + elementSuffix(j+1)))
			if err != nil {
				return nil, true, err
			}
			for i, v := range x {
				out[i*n+j] = v
			}
		}
		return out, true, nil
	}

	// An int without a column is a size that inferSizes has found.
	j := t.find(d.Name)
	if j < 0 {
		n, ok := t.sizes[d.Name]
		return []float64{float64(n)}, ok && len(dims) == 0, nil
	}

	// A column; a single number fills all rows.
	x, err := t.table.Numbers(j)
	if err == nil && len(dims) == 0 && len(x) > 1 { // one number, in each row
		for _, v := range x[1:] {
			if v != x[0] {
				return nil, true, problem.New("it is a single number, but its column has several values")
			}
		}
		x = x[:1]
	}
	return x, true, err
}

// loadData reads the data block.
func (r *lowerer) loadData(list []*syntax.Stmt, data []byte) {
	from := openData(data)
	if t, ok := from.(*tableData); ok {
		t.inferSizes(list)
	}

	// Each variable in turn.
	for _, s := range list {
		d := s.Decl
		var v lang.Value
		if r.priorsOnly != nil && r.priorsOnly.usesFlag && d.Name == priorOnlyName {
			v = lang.IntValue(1)
		} else {
			v = r.loadVariable(from, d, d.Name)
		}
		r.liveElements += len(v.X)
		r.frame[d.Sym.Slot] = v
		r.validate(d, v)
	}
}

// loadVariable reads a variable, or a part of a tuple. name is used in errors.
func (r *lowerer) loadVariable(from source, d *syntax.Decl, name string) lang.Value {
	if d.Parts != nil {
		return r.loadTuples(from, d, name)
	}
	t, dims := r.sizes(d)
	n := r.CheckSize(dims...)
	x, ok, err := from.read(d, dims)

	// Check that the data exist and have the declared size.
	r.Pos = d.Pos
	if err != nil {
		r.Fail(problem.New("the data for %s cannot be read: %w", name, err))
	}
	if !ok && n > 0 {
		r.Fail(problem.New("the data lack %s, which is declared as %s", name, declaredAs(t, dims)))
	}
	if len(x) != n && n > 0 {
		r.Fail(problem.New("the data for %s cannot be read: %w", name,
			problem.New("it has %d elements, not %d", len(x), n)))
	}

	// Check that no element is NaN, and that elements of an int are integers.
	v := lang.Value{T: t, Dims: dims, X: tape.Consts(x[:n]...)}
	r.checkNotNaN(name, v)
	for i, c := range x {
		if t.Base == lang.IntType && (c != math.Trunc(c) || math.Abs(c) > math.MaxInt32) {
			r.Fail(problem.New("%s is %v, but declared as a whole number", name+elementName(dims, i), c))
		}
	}
	return v
}

// declaredAs formats a type with its sizes.
func declaredAs(t lang.Type, dims []int) string {
	if len(dims) == 0 {
		return t.String()
	}
	return t.String() + ", " + lang.FormatDims(dims)
}
