package papers

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"logzlab/core/files/disk"
)

// Index is the page with the list of experiments, in a folder of pages. Its text with the number of findings is between
// countsHead and countsFoot.
const (
	Index      = "index.html"
	countsHead = `<p class="first counts">`
	countsFoot = "</p>"
)

// answerRow matches the table row of a finding on a page.
var answerRow = regexp.MustCompile(`<tr class="(unseen|agrees|contradicts)( ours)?">`)

// Totals counts the findings on the pages of a folder by answer: n[0] of papers, n[1] of this lab.
func Totals(dir string) (n [2]Counts, err error) {
	pages, err := filepath.Glob(filepath.Join(dir, "*.html"))
	for _, name := range pages {
		b, err := os.ReadFile(name)
		if err != nil {
			return n, err
		}
		for _, m := range answerRow.FindAllSubmatch(b, -1) {
			ours := 0
			if len(m[2]) > 0 {
				ours = 1
			}
			n[ours][map[string]Answer{"unseen": Unseen, "agrees": Agrees, "contradicts": Contradicts}[string(m[1])]]++
		}
	}
	return n, err
}

// CountsText returns a sentence with the numbers of findings, and how many of them chance alone would decide.
func CountsText(n [2]Counts) string {
	total := n[0].All() + n[1].All()
	return fmt.Sprintf("All pages together have %d findings. Of %d claims of papers %d agree, %d contradict, and %d are "+
		"too small to see; of %d of this lab or on other models %d, %d and %d. Were none of them true, some %.0f would "+
		"still clear two standard errors by chance.", total, n[0].All(), n[0][Agrees], n[0][Contradicts], n[0][Unseen],
		n[1].All(), n[1][Agrees], n[1][Contradicts], n[1][Unseen], math.Round(chanceRate*float64(total)))
}

// updateIndex writes the result of CountsText for all pages of a folder into its index page, if there is one.
func updateIndex(dir string) error {
	path := filepath.Join(dir, Index)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n, err := Totals(dir)
	if err != nil {
		return err
	}
	before, rest, hasHead := strings.Cut(string(b), countsHead)
	_, after, hasFoot := strings.Cut(rest, countsFoot)
	if !hasHead || !hasFoot {
		return nil
	}
	return disk.Write(path, []byte(before+countsHead+CountsText(n)+countsFoot+after))
}
