package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// lineless recovers from panics, also through a wrapper, moves its stack with live pointers, collects garbage, and says
// in which line it is.
const lineless = `package main

import (
	"fmt"
	"runtime"
)

type rescue struct{ name string }

func (r rescue) caught() { fmt.Println(r.name, recover()) }

func deep(n int, p *int) int {
	if n == 0 {
		runtime.GC()
		return *p
	}
	m := *p + 1
	return deep(n-1, &m)
}

func main() {
	func() {
		var c interface{ caught() } = &rescue{"wrapped"}
		defer c.caught()
		defer func() { panic(fmt.Sprint(recover(), " twice")) }()
		panic("panic")
	}()
	fmt.Println(deep(10000, new(int)))
	_, file, line, ok := runtime.Caller(0)
	fmt.Println(file, line, ok)
}
`

// TestDropLines: a program without its lines runs as before and does not know where it is, and a damaged table is an
// error.
func TestDropLines(t *testing.T) {
	dir := t.TempDir()
	source, path := filepath.Join(dir, "main.go"), filepath.Join(dir, "main.wasm")
	if err := os.WriteFile(source, []byte(lineless), 0o666); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, source)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lean, err := smaller(program)
	if err != nil {
		t.Fatal(err)
	}
	checkTable(t, program)
	if err := os.WriteFile(path, lean, 0o666); err != nil {
		t.Fatal(err)
	}
	node, err := goWasm("wasm_exec_node.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no Node to run it")
	}
	run := exec.Command("node", "--stack-size=8192", node, path)
	run.Env = []string{"PATH=" + os.Getenv("PATH")}
	out, err := run.CombinedOutput()
	if want := "wrapped panic twice\n10000\n? 0 true\n"; err != nil || string(out) != want {
		t.Errorf("%v: the program says %q, want %q", err, out, want)
	}
}

// checkTable takes parts of a program's table of functions away.
func checkTable(t *testing.T, program []byte) {
	t.Helper()
	r := wasmReader{b: program[len(wasmMagic):]}
	for len(r.b) > 0 {
		id, body := r.take(1), r.take(int(r.unsigned()))
		if id[0] != dataSection {
			continue
		}
		memory := (&wasmReader{b: body}).memory()
		start := bytes.Index(memory, []byte(tableMagic))
		for n := start + len(tableMagic); n < len(memory); n += n / 50 {
			dropLines(memory[:n:n]) // must not panic
		}
		if err := dropLines(memory[:start+100]); err == nil {
			t.Error("a table that is cut short was taken")
		}
	}
}
