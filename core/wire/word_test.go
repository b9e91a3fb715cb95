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

// Processors of 32 bits are refused in one sentence.
func TestWord(t *testing.T) {
	for _, arch := range []string{"386", "arm", "mips", "mipsle", "amd64", "arm64", "loong64", "mips64", "mips64le",
		"ppc64", "ppc64le", "riscv64", "s390x", "wasm"} {
		c := build.Default
		c.GOARCH = arch
		refused, err := c.MatchFile(".", "word.go")
		if short := !strings.Contains(arch, "64") && arch != "s390x" && arch != "wasm"; err != nil || refused != short {
			t.Errorf("%s is refused: %v, %v", arch, refused, err)
		}
	}
	at := token.NewFileSet()
	file, err := parser.ParseFile(at, "word.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	conf := types.Config{Error: func(err error) { said = append(said, err.(types.Error).Msg) }}
	conf.Check("wire", at, []*ast.File{file}, nil)
	if len(said) != 1 || said[0] != sentence {
		t.Errorf("the compiler says %q", said)
	}
}

// The sentence is all that a build says, also of packages that have numbers beyond 32 bits.
func TestWordBuild(t *testing.T) {
	tier.Release(t)
	c := exec.Command("go", "build", "./core/...", "./models/...", "./wasm/rooms/edge")
	c.Dir, c.Env = "../..", append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	out, err := c.CombinedOutput()
	if err == nil || strings.Count(string(out), "\n") != 2 || !strings.HasSuffix(string(out), sentence+"\n") {
		t.Errorf("%v: %s", err, out)
	}
}
