// Package syntax makes a tree of the text of a program of the Stan language: lex.go cuts the text into tokens, parse.go
// reads blocks and functions, parse_stmt.go statements, parse_expr.go expressions; ast.go has the tree, declared.go the
// words of declarations, walk.go walks over the tree. The tree names types and functions of package lang, which whoever
// checks it fills in.
//
// It must not know what a program computes.
package syntax
