package num

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// The constants of the assembly of core/num/kernel equal those of Exp, Exp32 and Log to the last bit, which comparing
// results cannot show: a last bit of expC9 changes one result in 10^8.
func TestAssemblyConstants(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("kernel/const_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]uint64{"expleast": math.Float64bits(-expFast), "log2e64": math.Float64bits(log2E),
		"ln2hi64": math.Float64bits(ln2Hi), "ln2lo64": math.Float64bits(ln2Lo), "magic64": math.Float64bits(roundMagic),
		"sqrthalf": sqrtHalfBits}
	for i, c := range []float64{logC0, logC1, logC2, logC3, logC4, logC5, logC6} {
		want["logc"+strconv.Itoa(i)] = math.Float64bits(c)
	}
	for i, c := range []float64{expC0, expC1, expC2, expC3, expC4, expC5, expC6, expC7, expC8, expC9, expC10} {
		want["expc"+strconv.Itoa(i)] = math.Float64bits(c)
	}
	for name, x := range map[string]float32{"log2e32": log2E32, "ln2hi32": ln2Hi32, "ln2lo32": ln2Lo32,
		"magic32": roundMagic32, "exp32max": exp32Max, "exp32min": exp32Min, "exp32c0": exp32C0,
		"exp32c1": exp32C1, "exp32c2": exp32C2, "exp32c3": exp32C3, "exp32c4": exp32C4} {
		want[name] = uint64(math.Float32bits(x))
	}
	for _, m := range regexp.MustCompile(`(?m)^CONST[48]\(·(\w+), (0x[0-9a-f]+)\)$`).FindAllStringSubmatch(string(text),
		-1) {
		if bits, ok := want[m[1]]; ok {
			if got, _ := strconv.ParseUint(m[2], 0, 64); got != bits {
				t.Errorf("%s is %#x, want %#x", m[1], got, bits)
			}
			delete(want, m[1])
		}
	}
	for name := range want {
		t.Errorf("no constant %s", name)
	}
}
