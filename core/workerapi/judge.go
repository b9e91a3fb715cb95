package workerapi

import "logzlab/core/wire"

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

// Append encodes the order.
func (o *Judge) Append(w *wire.Writer) {
	w.Int(o.N)
	w.Bool(o.Read)
	w.Bool(o.Second)
	w.Uint(uint64(len(o.Files)))
	for _, f := range o.Files {
		w.String(f.Name)
		w.String(string(f.Data))
	}
	w.String(o.Method)
	w.String(o.Units)
	w.Uint(uint64(len(o.Set)))
	for _, s := range o.Set {
		w.String(s)
	}
	w.String(o.Lang)
	w.String(string(o.Translations))
}

// Decode decodes an order.
func (o *Judge) Decode(r *wire.Reader) {
	*o = Judge{N: r.Int(), Read: r.Bool(), Second: r.Bool()}
	for range r.Length(1) {
		o.Files = append(o.Files, File{r.String(), []byte(r.String())})
	}
	o.Method, o.Units = r.String(), r.String()
	for range r.Length(1) {
		o.Set = append(o.Set, r.String())
	}
	o.Lang, o.Translations = r.String(), []byte(r.String())
}

// Append encodes the answer.
func (a *Judged) Append(w *wire.Writer) {
	w.Int(a.N)
	w.Bool(a.Busy)
	w.String(a.Doing)
	w.Float(a.Share)
	appendErr(w, a.Err)
	w.String(a.Body)
	w.String(a.JSON)
	w.String(a.Said)
}

// Decode decodes an answer.
func (a *Judged) Decode(r *wire.Reader) {
	*a = Judged{N: r.Int(), Busy: r.Bool(), Doing: r.String(), Share: r.Float(), Err: readErr(r),
		Body: r.String(), JSON: r.String(), Said: r.String()}
}
