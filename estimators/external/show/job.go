package show

import (
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/words"
	"logzlab/core/workerapi"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// Session answers orders about samples of other programs: it is what one worker has read: files, and others to compare the first with.
type Session struct {
	first, second *side
	words         *words.Language
}

// side is files that belong together, and what was found in them.
type side struct {
	name     string
	files    []samples.File // they are read again where alpha changes
	alpha    float64
	cases    *external.Case
	reports  []*external.Report
	pictures *external.Pictures
}

// Do does an order. post takes answers: how far it is, then the report without what takes long, then the whole.
func (s *Session) Do(o *workerapi.ReportRequest, files []samples.File, post func(*workerapi.ReportAnswer)) {
	fail := func(err error) { post(&workerapi.ReportAnswer{N: o.N, Err: err}) }
	if err := s.speak(o); err != nil {
		fail(err)
		return
	}
	options, err := external.ParseOptions(o.Set)
	if err != nil {
		fail(err)
		return
	}

	// New files, of the first set or of the second.
	work := &meter.Meter{Yield: func(share float64) error {
		post(&workerapi.ReportAnswer{N: o.N, Busy: true, Share: share})
		return nil
	}}
	if o.Read {
		x := &side{files: files}
		if err := x.read(o, options, post); err != nil {
			fail(err)
			return
		}
		if s.second = nil; o.Second && s.first != nil {
			s.second = x
		} else {
			s.first = x
		}
	}
	if s.first == nil {
		fail(problem.New("there are no samples yet; choose files"))
		return
	}

	// The verdict on each set.
	for _, x := range s.sides() {
		if options.Alpha != x.alpha {
			err = x.read(o, options, post)
		}
		if err == nil {
			work.NextPart()
			x.reports, err = x.cases.Judge(nil, options, work)
		}
		if err != nil {
			fail(err)
			return
		}
		x.pictures = x.cases.Pictures(options)
	}

	// The report goes out, and later the estimate from a growing part of the samples.
	s.answer(o, true, post)
	work.NextPart()
	work.Yield = nil // the report is there, and nothing covers it
	if err := s.first.cases.Grow(s.first.pictures, s.shown(o).Method, options, work); err != nil {
		fail(err)
		return
	}
	s.answer(o, false, post)
}

func (s *Session) sides() []*side {
	if s.second != nil {
		return []*side{s.first, s.second}
	}
	return []*side{s.first}
}

// speak takes the language of an order.
func (s *Session) speak(o *workerapi.ReportRequest) (err error) {
	if s.words != nil && s.words.Lang == o.Lang {
		return nil
	}
	if s.words = words.New(o.Lang); len(o.Translations) > 0 {
		s.words, err = words.Read(o.Lang, o.Translations)
	}
	return err
}

// read reads the files, and says how far it is by their bytes.
func (x *side) read(o *workerapi.ReportRequest, options external.Options, post func(*workerapi.ReportAnswer)) error {
	files := x.files
	var before []float64
	total := 0.0
	for _, f := range files {
		before = append(before, total)
		total += float64(f.Len()) + 1
	}
	at := 0
	say := func(share float64) {
		post(&workerapi.ReportAnswer{N: o.N, Busy: true, Doing: files[at].Name,
			Share: (before[at] + share*float64(files[at].Len())) / total})
	}
	work := &meter.Meter{Yield: func(share float64) error { say(share); return nil }}
	c, err := external.Open(files, options, func(file int) { at = file; say(0) }, work)
	if err != nil {
		return err
	}
	x.cases, x.alpha, x.name = c, options.Alpha, files[0].Name
	if i := strings.LastIndexAny(x.name, `/\`); i >= 0 {
		x.name = x.name[i+1:]
	}
	if len(files) > 1 {
		x.name += ", …"
	}
	return nil
}

// shown is the report of the method that is wanted, or else the best.
func (s *Session) shown(o *workerapi.ReportRequest) *external.Report {
	for _, r := range s.first.reports {
		if r.Method == o.Method {
			return r
		}
	}
	return external.Best(s.first.reports)
}

// answer makes the report.
func (s *Session) answer(o *workerapi.ReportRequest, busy bool, post func(*workerapi.ReportAnswer)) {
	r := s.shown(o)
	p := &paper{w: s.words, all: s.first.reports, r: r, pictures: s.first.pictures, units: unitsOf(o.Units, r)}
	if s.second != nil {
		p.compare(s.first.name, s.second)
	}
	a := &workerapi.ReportAnswer{N: o.N, Busy: busy, Share: 1, Body: string(p.body()), JSON: string(external.JSON(s.first.reports))}
	if p.other != nil {
		a.JSON = `{"a":` + a.JSON + `,"b":` + string(external.JSON(s.second.reports)) + `}`
	}
	if verdict.IsNumber(r.LogZ) {
		a.Said = p.headline() + ": " + p.w.T("verdict."+r.Verdict.Level)
	}
	post(a)
}
