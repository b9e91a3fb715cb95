package stan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/labtest/bound"
)

// seeds are programs and data of the tests.
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

// Whatever the program and the data, there is a tape or a named error, soon.
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

// calm compiles, and fails the test for a fault of the compiler.
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

// Programs and data that are cut, repeated and mixed give a tape or a named error.
func TestDamagedPrograms(t *testing.T) {
	t.Parallel()
	state := uint32(1)
	random := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>8) % max(n, 1)
	}
	var all [][2][]byte
	seeds(func(src, data []byte) { all = append(all, [2][]byte{src, data}) })
	words := []string{"real ", "int ", "vector[3] ", "[", "]", "{", "}", "(", ")", ";", "1", "-1", "0", "1e300",
		"for (i in 1:N) ",
		"~", "+=", "N", "x", "y", "'", ":", ",", "*", "/", "^", "<lower=0>", "array[2] ",
		"matrix[2,2] ", "simplex[2] ", "99999999"}
	for n := range 3000 {
		one := all[random(len(all))]
		src, data := append([]byte(nil), one[0]...), append([]byte(nil), one[1]...)
		for range 1 + random(4) {
			at := random(len(src))
			switch random(5) {
			case 0:
				src = append(src[:at:at], src[min(at+random(20), len(src)):]...)
			case 1:
				src = append(src[:at:at], append([]byte(words[random(len(words))]), src[at:]...)...)
			case 2:
				end := min(at+random(200), len(src))
				src = append(src[:end:end], src[at:]...)
			case 3:
				if len(data) > 0 {
					data[random(len(data))] = "0123456789,.[]-e{}"[random(18)]
				}
			case 4: // one token for another
				w := words[random(len(words))]
				end := min(at+1+random(3), len(src))
				src = append(src[:at:at], append([]byte(w), src[end:]...)...)
			}
		}
		calm(t, src, data)
		if t.Failed() {
			t.Fatalf("case %d", n)
		}
	}
}
