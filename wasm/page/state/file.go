package state

// File is a file that the user gave to the page, or that came with a room or a lecture.
type File struct {
	Name string
	Data []byte
	N    int // number of the file among those of this page, by which the browser hears what became of it
}
