// Package syntax parses Stan programs: lex.go is the lexer, parse.go parses blocks and functions, parse_stmt.go
// statements and parse_expr.go expressions; ast.go defines the syntax tree, declared.go the type names and keywords,
// and walk.go walks the tree. The tree has fields for the types, symbols and functions that the checker in package stan
// fills in.
//
// The package does not depend on the meaning of a program. Errors are raised by lang.Fail.
package syntax
