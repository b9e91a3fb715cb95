package exchange

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"logzlab/core/disk"
	"logzlab/wasm/room"
)

// Which says which part of an experiment a file has: the Kth of N, from 1. Array tells how a scheduler numbered the
// tasks of an array, "" where none did: its name, the number of the first task and a step if that is not 1, as
// "Slurm 0" or "Slurm 0:2".
type Which struct {
	K, N  int
	Array string
}

func (w Which) String() string { return fmt.Sprintf("%d/%d", w.K, w.N) }

// Experiment is a short name of the experiment of a link, as it stands in names of files.
func Experiment(link string) string { return room.ID([]byte(link))[:8] }

// FileIn is the file of a part in a folder, where others stand too.
func (w Which) FileIn(dir, link string) string {
	width := len(strconv.Itoa(w.N)) // so that names sort as their numbers do
	return filepath.Join(dir, fmt.Sprintf("logz-%s-%0*d-of-%d.part", Experiment(link), width, w.K, w.N))
}

// Named is a file in a folder that has the name of a part's.
type Named struct {
	Path, Experiment string
	Which
}

// PartsIn lists the files of parts in a folder by their names.
func PartsIn(dir string) (all []Named, err error) {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if f, ok := NameOf(filepath.Join(dir, e.Name())); ok {
			all = append(all, f)
		}
	}
	return all, err
}

// NameOf is what the name of a file tells; ok is false if it is not that of a part.
func NameOf(path string) (f Named, ok bool) {
	name := filepath.Base(path)
	rest, made := strings.CutPrefix(name, "logz-")
	rest, ends := strings.CutSuffix(rest, ".part")
	experiment, part, _ := strings.Cut(rest, "-")
	k, n, _ := strings.Cut(part, "-of-")
	f = Named{Path: path, Experiment: experiment}
	f.K, f.N = number(k), number(n)
	return f, made && ends && len(experiment) == 8 && f.K >= 1 && f.K <= f.N
}

// number is a whole number in digits, 0 if the text is none.
func number(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

// Agrees refuses a part beside files in its folder that cut the same experiment into another number of parts, or
// whose array numbered its tasks otherwise: then the same number means another part.
func (w Which) Agrees(dir, link string) error {
	all, err := PartsIn(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	numbered := w.Array == ""
	for _, f := range all {
		if f.Experiment != Experiment(link) {
			continue
		}
		if f.N != w.N {
			return fmt.Errorf("%s is one of %d parts, and this would be one of %d: give -of %d, or another folder by -out",
				f.Path, f.N, w.N, f.N)
		}
		if numbered {
			continue
		}
		head, err := readHead(f.Path)
		if err != nil || head.Array == "" {
			continue // computed by hand, or damaged
		}
		if numbered = true; head.numbers() != w.numbers() {
			return fmt.Errorf("%s was made by tasks that %s, and these %s: the same number would be another part. Number them "+
				"alike, by -from or where the array is submitted, or name the part, as in logz part %s", f.Path,
				counts(head.numbers()), counts(w.numbers()), w)
		}
	}
	return err
}

// numbers is how an array numbers its tasks, without the name of the scheduler.
func (w Which) numbers() string { return w.Array[strings.LastIndex(w.Array, " ")+1:] }

// counts says how tasks are numbered.
func counts(numbers string) string {
	first, step, ok := strings.Cut(numbers, ":")
	if ok {
		return "count from " + first + " in steps of " + step
	}
	return "count from " + first
}

// Open opens the file of a part, or makes it, for this program alone until its journal is closed, and takes what it
// has. If the file is named by FileIn, and no record of it can be read, it is begun anew.
func (p *Part) Open(name, link string, w Which) error {
	own, s, err := take(name)
	if err != nil {
		return err
	}

	// No file is touched but the part's own.
	known := len(s.all) > 0
	if !known && s.size > 0 {
		if _, ours := NameOf(name); !ours {
			err = fmt.Errorf("%s is no file of a part", name)
		}
	}
	if known {
		err = s.isPart(name, link, w)
	}
	if err == nil {
		p.Journal, err = resume(own, s)
	}
	if err == nil && !known {
		err = p.Journal.add(&Record{kind: recordHead, texts: [5]string{link, room.Build, w.Array, w.String()}})
	}
	if err == nil {
		err = p.Load(name, s.all)
	}
	if err != nil {
		own.Close()
		return err
	}

	// How much of the file is needed no more.
	p.K, p.N = w.K, w.N
	for _, r := range s.all {
		if r.kind == recordUnit {
			p.held[r.texts[2]+r.texts[1]] += int64(len(r.body))
			if p.over[r.texts[2]][r.texts[1]] != nil { // the program was killed before it could tidy up
				p.waste += int64(len(r.body))
			}
		}
	}
	return nil
}

// isPart checks that a file is that of a part, of a link and an address; "" and N = 0 are any.
func (s *saved) isPart(name, link string, w Which) error {
	head := s.all[0].texts
	is, err := readWhich(head)
	switch {
	case err != nil:
		return fmt.Errorf("%s is no file of a part", name)
	case w.N > 0 && (is.K != w.K || is.N != w.N):
		return fmt.Errorf("%s is part %s, and this would be part %s: give another file by -out", name, is, w)
	}
	return s.begun(name, link)
}

// readWhich reads which part the head of a file names.
func readWhich(head [5]string) (w Which, err error) {
	w.Array = head[2]
	_, err = fmt.Sscanf(head[3], "%d/%d", &w.K, &w.N)
	if err == nil && (head[4] != "" || w.K < 1 || w.K > w.N) {
		err = errors.New("a room")
	}
	return w, err
}

// PartFile is what the file of a part has.
type PartFile struct {
	Link string // of the first record
	Which
	Records []*Record
	Lost    error // what the file has besides, and that does not count; nil if all of it does
}

// ErrNoPart says that a file has not even the first record of a part.
var ErrNoPart = errors.New("it is no file of a part, or its beginning is damaged")

// ReadPart reads the file of a part, which may be one that is still being written. It does not touch the file.
func ReadPart(name string) (*PartFile, error) {
	f, err := disk.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s, err := read(name, f)
	if err != nil {
		return nil, err
	}
	if len(s.all) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoPart)
	}
	if err := s.isPart(name, "", Which{}); err != nil {
		return nil, err
	}
	which, err := readWhich(s.all[0].texts)
	return &PartFile{s.all[0].texts[0], which, s.all, s.lost}, err
}

// readHead reads which part a file has, and no more.
func readHead(name string) (w Which, err error) {
	f, err := disk.Open(name)
	if err != nil {
		return w, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return w, err
	}
	in := scanner{in: bufio.NewReader(f), left: st.Size()}
	if r := in.next(); r != nil {
		return readWhich(r.texts)
	}
	return w, ErrNoPart
}
