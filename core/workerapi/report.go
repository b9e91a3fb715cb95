package workerapi

// ReportRequest requests a report on external samples.
type ReportRequest struct {
	N            int    // number of the request
	Read         bool   // read new files; otherwise the previous ones with other options
	Second       bool   // compare the files with the previous ones
	Files        []File // files of the site; the user's files are delivered separately
	Method       string // the method to report, "" for the best
	Units        string // units of free energy differences, "" for those of the files
	Set          []string
	Lang         string
	Translations []byte // translations of the language; nil if they are compiled in
}

// File is a file of the site.
type File struct {
	Name string
	Data []byte
}

// ReportAnswer is the progress of a request, or its result.
type ReportAnswer struct {
	N     int
	Busy  bool    // not finished
	Doing string  // the file being read, "" while the samples are evaluated
	Share float64 // share of that work done
	Err   error
	Body  string // markup, "" for none yet
	JSON  string
	Said  string // the result in a sentence
}
