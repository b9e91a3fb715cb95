package main

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"path/filepath"
)

// constants are numbers by name, as declared in Go source.
type constants map[string]constant.Value

// readConstants reads the numeric constants of the given files.
func readConstants(root string, files ...string) (constants, error) {
	c := constants{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok {
				return true
			}
			for i, value := range spec.Values {
				negative, ok := value.(*ast.UnaryExpr)
				if ok && negative.Op == token.SUB {
					value = negative.X
				}
				if lit, isLit := value.(*ast.BasicLit); isLit {
					x := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
					if ok {
						x = constant.UnaryOp(token.SUB, x, 0)
					}
					c[spec.Names[i].Name] = x
				}
			}
			return true
		})
	}
	return c, nil
}

// get panics if the Go source does not declare the number; then the module must be adapted.
func (c constants) get(name string) constant.Value {
	x, ok := c[name]
	if !ok {
		panic("gen: there is no constant " + name)
	}
	return x
}

func (c constants) double(name string) float64 {
	x, _ := constant.Float64Val(c.get(name))
	return x
}

func (c constants) single(name string) float32 {
	x, _ := constant.Float32Val(c.get(name))
	return x
}

func (c constants) long(name string) int64 {
	x, _ := constant.Int64Val(c.get(name))
	return x
}

func (c constants) bits(name string) uint32 { return uint32(c.long(name)) }
