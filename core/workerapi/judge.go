package workerapi

// Judge asks for a report.
type Judge struct {
	N            int    // counts the orders
	Read         bool   // other files, which come along; else those read before, looked at in another way
	Second       bool   // the files are to be compared with those before
	Files        []File // of the site; those of the user come beside the order
	Method       string // whose report is wanted; "": the best
	Units        string // of differences of free energies; "": those of the files
	Set          []string
	Lang         string
	Translations []byte // words of the language; nil: the program has them
}

// File is a file of the site.
type File struct {
	Name string
	Data []byte
}

// Judged is how far an order is, or what became of it.
type Judged struct {
	N     int
	Busy  bool    // more is to come
	Doing string  // the file that is read, "": the samples are judged
	Share float64 // of that work
	Err   error
	Body  string // markup, "" for none yet
	JSON  string
	Said  string // the result in a sentence
}
