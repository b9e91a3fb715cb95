package wire_test

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

const sentence = "undefined: LogZ_Lab_needs_a_processor_of_64_bits_so_set_GOARCH_to_amd64_or_arm64"

// The build fails for 32-bit processors, with one sentence.
func TestNo32Bit(t *testing.T) {
	for _, arch := range []string{"386", "arm", "mips", "mipsle", "amd64", "arm64", "loong64", "mips64", "mips64le",
		"ppc64", "ppc64le", "riscv64", "s390x", "wasm"} {
		c := build.Default
		c.GOARCH = arch
		refused, err := c.MatchFile(".", "word.go")
		if is32 := !strings.Contains(arch, "64") && arch != "s390x" && arch != "wasm"; err != nil || refused != is32 {
			t.Errorf("%s: refused = %v, want %v, error %v", arch, refused, is32, err)
		}
	}
	at := token.NewFileSet()
	file, err := parser.ParseFile(at, "word.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var messages []string
	conf := types.Config{Error: func(err error) { messages = append(messages, err.(types.Error).Msg) }}
	conf.Check("wire", at, []*ast.File{file}, nil)
	if len(messages) != 1 || messages[0] != sentence {
		t.Errorf("the type checker reports %q, want %q", messages, sentence)
	}
}

// A build prints that sentence only, even for packages with constants beyond 32 bits.
func TestNo32BitBuild(t *testing.T) {
	tier.Release(t)
	c := exec.Command("go", "build", "./core/...", "./models/...", "./wasm/rooms/edge")
	c.Dir, c.Env = "../..", append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 2 || !strings.HasSuffix(string(out), sentence+"\n") {
		t.Errorf("%v: %s", err, out)
	}
}
