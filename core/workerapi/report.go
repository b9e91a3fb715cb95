package workerapi

// ReportRequest requests a report on external samples.
type ReportRequest struct {
	N            int    // number of the request
	Read         bool   // read new files; otherwise the previous ones with other options
	Second       bool   // compare the files with the previous ones
	Files        []File // files of the site; the user's files are delivered separately
	Method       string // the method to report, "" for the first with the best verdict: trust, else caution, else stop
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
	Share float64 // completed fraction of reading that file or of the evaluation, from 0 to 1
	Err   error
	Body  string // the report as HTML, "" if it is not ready
	JSON  string
	Said  string // the result in a sentence
}
