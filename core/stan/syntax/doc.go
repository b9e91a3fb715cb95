// Package syntax makes a tree of the text of a program of the Stan language: lex.go cuts the text into tokens, parse.go
// reads blocks and functions, parse_stmt.go statements, parse_expr.go expressions; ast.go has the tree. Whoever checks
// the tree fills in what its names mean.
package syntax
