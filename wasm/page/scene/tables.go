package scene

// MaxTable is the largest number of rows of a table.
const MaxTable = 200

// thinned reports whether row i of n, for one of several methods, is in a table of MaxTable rows: evenly spaced rows
// and the last.
func thinned(i, n, methods int) bool { return i%max(n*methods/MaxTable, 1) == 0 || i == n-1 }
