package samples

import (
	"fmt"
	"strings"
	"testing"
)

// cmdStan is a file of CmdStan with two draws of the warm-up and two of the posterior.
const cmdStan = `# stan_version_major = 2
# method = sample (Default)
#   sample
#     num_samples = 2
#     save_warmup = 1
lp__,accept_stat__,divergent__,mu,a.1,a.2,y_rep.1
-90,0.1,0,9,9,9,0
-80,0.2,1,8,8,8,0
# Adaptation terminated
# Step size = 0.8
-7.5,0.9,0,1,2,3,0
-8.5,0.8,1,4,5,6,0
#
#  Elapsed Time: 0.1 seconds (Warm-up)
`

var drawOptions = Options{Draws: []string{"mu", "a.1", "a.2"}}

// formatDraws formats the chains of draws for comparison.
func formatDraws(s *Set) string {
	var b strings.Builder
	for _, d := range s.Draws {
		fmt.Fprint(&b, d.X, d.LogP, d.Lines, d.Divergent, ";")
	}
	return b.String()
}

// Draws are read from CmdStan's files, without the warm-up, and from tables with a chain column and with names such as
// a[1,2], in quotes or split at the comma.
func TestReadDraws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{cmdStan, "[1 2 3 4 5 6] [-7.5 -8.5] [11 12] 1;"},
		{strings.ReplaceAll(cmdStan, "\n", "\r\n"), "[1 2 3 4 5 6] [-7.5 -8.5] [11 12] 1;"},
		{"a[1],mu,a[2]\n2,1,3\n5,4,6\n", "[1 2 3 4 5 6] [] [2 3] 0;"},
		{".chain,mu,a[1],a[2]\n1,1,2,3\n2,4,5,6\n1,7,8,9\n", "[1 2 3 7 8 9] [] [2 4] 0;[4 5 6] [] [3] 0;"},
		{"mu a.1 a.2\n1 2 3\n", "[1 2 3] [] [2] 0;"},
	} {
		s, err := Read(filesOf("d.csv", c.text), drawOptions, nil)
		if err != nil {
			t.Errorf("%.60q: %v", c.text, err)
			continue
		}
		if got := formatDraws(s); got != c.want {
			t.Errorf("%.60q: got %s, want %s", c.text, got, c.want)
		}
	}
	matrix := Options{Draws: []string{"M.1.1", "M.2.1"}}
	for _, head := range []string{"M[1,1],M[2,1]", "\"M[1,1]\",\"M[2,1]\"", "M[1, 1],M[2, 1]", "M.1.1,M.2.1"} {
		s, err := Read(filesOf("d.csv", head+"\n1,2\n"), matrix, nil)
		if err != nil || formatDraws(s) != "[1 2] [] [2] 0;" {
			t.Errorf("%s: %v", head, err)
		}
	}
	s, err := Read(filesOf("1.csv", cmdStan, "2.csv", cmdStan), drawOptions, nil)
	if err != nil || s.Runs != 2 || fmt.Sprint(s.Notes) != "[draws of Stan: 4 draws in 2 chains 4 draws of the warm-up "+
		"left out]" {
		t.Errorf("%v, %v", s, err)
	}
	// A parameter may have a name that other tables use for weights or chains.
	s, err = Read(filesOf("d.csv", "weight,chain\n1,2\n3,4\n"), Options{Draws: []string{"weight", "chain"}}, nil)
	if err != nil || formatDraws(s) != "[1 2 3 4] [] [2 3] 0;" {
		t.Error(err)
	}
}

// The error for a table that does not have draws of the program names the file and the line.
func TestDrawErrorsNameFileAndLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{strings.Replace(cmdStan, "a.2", "b", 1), "d.csv, line 6: there is no column a.2; the parameter a of the program " +
			"has 2 numbers, and the columns are lp__, accept_stat__, divergent__, mu, a.1, b, y_rep.1"},
		{strings.Replace(cmdStan, "y_rep.1", "a.3", 1), "d.csv, line 6: column a.3 does not belong to the parameter a"},
		{strings.Replace(cmdStan, "y_rep.1", "mu", 1), "d.csv, line 6: there are two columns mu"},
		{strings.Replace(cmdStan, "y_rep.1", "log_weight", 1),
			"d.csv, line 6: column log_weight says that draws have weights"},
		{strings.Replace(cmdStan, "= sample (", "= variational (", 1), "d.csv: its draws are of the method variational"},
		{strings.Replace(cmdStan, "4,5,6,0", "4,nan,6,0", 1), "d.csv, line 12: column a.1 has \"nan\""},
		{strings.Replace(cmdStan, "4,5,6,0", "4,5", 1), "d.csv, line 12 has 5 columns"},
		{cmdStan[:strings.Index(cmdStan, "-7.5")], "d.csv: there are no samples in it"},
		{"1,2,3\n", "d.csv, line 1: the numbers have no header; it must have the names of the parameters: mu, a.1, a.2"},
	} {
		if _, err := Read(filesOf("d.csv", c.text), drawOptions, nil); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	_, err := Read(filesOf("x/d.csv", strings.Replace(cmdStan, "mu", "theta", 1)), Options{}, nil)
	if err == nil || !strings.Contains(err.Error(), "logz read d.csv -model program.stan -data data.json") {
		t.Error(err)
	}
}
