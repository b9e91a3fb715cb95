package stan

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/bound"
	"logzlab/internal/tier"
)

// seeds calls f for the programs and data of the tests.
func seeds(f func(src, data []byte)) {
	for _, dir := range []string{"programs", "ordinary", "refused"} {
		list, _ := filepath.Glob("testdata/" + dir + "/*.stan")
		for _, name := range list {
			src, _ := os.ReadFile(name)
			data, _ := filepath.Glob(strings.TrimSuffix(name, ".stan") + "*.json")
			for _, d := range append(data, "") {
				b, _ := os.ReadFile(d)
				if !strings.HasSuffix(d, ".oracle.json") {
					f(src, b)
				}
			}
		}
	}
}

// FuzzCompile checks that any program with any data gives a tape or an error in limited time.
func FuzzCompile(f *testing.F) {
	seeds(func(src, data []byte) { f.Add(src, data) })
	for _, s := range []string{"model{for(i in 1:1000000000){}}", "parameters{real x;}model{while(1){}}",
		"functions{real f(real x){return f(x);}}", "data{int N;array[N,N] real x;}", "model{target+=1e308*10;}"} {
		f.Add([]byte(s), []byte(`{"N":3}`))
	}
	f.Fuzz(func(t *testing.T, src, data []byte) {
		defer bound.Check(t)()
		calm(t, src, data)
	})
}

// calm compiles a program, and fails the test if the compiler panics or takes too long.
func calm(t *testing.T, src, data []byte) {
	t.Helper()
	c, err := Compile(string(src), data, nil)
	if err != nil && strings.Contains(err.Error(), "the compiler of Stan programs failed") {
		t.Errorf("%v\n%s\n%s", err, src, data)
	}
	if err == nil && c.Tape == nil {
		t.Error("neither a tape nor an error")
	}
}

// TestDamagedPrograms checks that truncated, repeated and mixed programs give a tape or an error in limited time.
func TestDamagedPrograms(t *testing.T) {
	damaged(t, func(random func(n int) int, src, data []byte) ([]byte, []byte) {
		return damagedProgram(random, src), data
	})
}

// TestDamagedData checks that damaged data give a tape or an error in limited time.
func TestDamagedData(t *testing.T) {
	damaged(t, func(random func(n int) int, src, data []byte) ([]byte, []byte) {
		for range 1 + random(4) {
			if len(data) > 0 {
				at := random(len(data))
				end := min(at+random(9), len(data))
				more := []string{"", "-", "1e300", "[", "]", ",", "0", "null", "2147483648", "{", "}", "[[1,2],[3]]", `"N":`}
				data = append(data[:at:at], append([]byte(more[random(len(more))]), data[end:]...)...)
			}
		}
		return src, data
	})
}

// damaged compiles the programs and data that change returns for each of the seeds.
func damaged(t *testing.T, change func(random func(n int) int, src, data []byte) (newSrc, newData []byte)) {
	state := uint32(1)
	random := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>8) % max(n, 1)
	}
	var all [][2][]byte
	seeds(func(src, data []byte) { all = append(all, [2][]byte{src, data}) })
	for n := range tier.Size(1500, 3000, 200_000) {
		one := all[random(len(all))]
		src, data := change(random, slices.Clone(one[0]), slices.Clone(one[1]))
		done := bound.Check(t)
		calm(t, src, data)
		if done(); t.Failed() {
			t.Fatalf("case %d:\n%s\n%s", n, src, data)
		}
	}
}

// tokens are inserted into damaged programs.
var tokens = []string{"real ", "int ", "vector[3] ", "[", "]", "{", "}", "(", ")", ";", "1", "-1", "0", "1e300",
	"for (i in 1:N) ", "~", "+=", "N", "x", "y", "'", ":", ",", "*", "/", "^", "<lower=0>", "array[2] ", "matrix[2,2] ",
	"simplex[2] ", "99999999", "ordered[3] ", "sum_to_zero_vector[3] ", "row_stochastic_matrix[2,3] ", "jacobian += ",
	"{x, y} ~ ", "T[0,]", "eigenvalues_sym(", "quantile(", "qr_Q(", "hmm_marginal(", "csr_extract_u(", "reduce_sum("}

// damagedProgram returns a program with one to four random deletions, insertions, repetitions or replacements.
func damagedProgram(random func(n int) int, src []byte) []byte {
	for range 1 + random(4) {
		at := random(len(src))
		switch random(4) {
		case 0:
			src = append(src[:at:at], src[min(at+random(20), len(src)):]...)
		case 1:
			src = append(src[:at:at], append([]byte(tokens[random(len(tokens))]), src[at:]...)...)
		case 2:
			end := min(at+random(200), len(src))
			src = append(src[:end:end], src[at:]...)
		case 3: // one token for another
			end := min(at+1+random(3), len(src))
			src = append(src[:at:at], append([]byte(tokens[random(len(tokens))]), src[end:]...)...)
		}
	}
	return src
}
