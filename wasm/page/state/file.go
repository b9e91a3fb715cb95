package state

// File is a file that the user chose, or that came with a room or a lecture.
type File struct {
	Name string
	Data []byte
	N    int // number of the file on this page; the answer to the browser carries it
}
