package scene

// MaxTable bounds the rows of the table behind a picture.
const MaxTable = 200

// thinned tells whether row i of n, for one of several methods, stands in a table that has
// room for MaxTable rows: evenly spaced ones and the last.
func thinned(i, n, methods int) bool { return i%max(n*methods/MaxTable, 1) == 0 || i == n-1 }
