package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"logzlab/internal/bound"
)

// documents are valid and invalid objects for every rule of the grammar.
var documents = []string{
	`{}`, ` {"a" : 1 , "b":[ ] }` + "\n\t\r", `{"a":{"b":[{"c":null}]}}`, `{"":0}`,
	`{"x":-0}`, `{"x":0.5e-3}`, `{"x":1E+2}`, `{"x":123456789012345678901234567890}`, `{"x":4.9e-324}`, `{"x":1e-400}`,
	`{"x":1.7976931348623157e308}`, `{"x":2.2250738585072011e-308}`,
	`{"x":1e309}`, `{"x":01}`, `{"x":-}`, `{"x":+1}`, `{"x":.5}`, `{"x":1.}`, `{"x":1e}`, `{"x":1e+}`, `{"x":-01}`,
	`{"x":0x1}`, `{"x":1_0}`, `{"x":NaN}`, `{"x":-Infinity}`, `{"x":inf}`,
	`{"x":"a\"\\\/\b\f\n\r\tz"}`, `{"x":"\u0041\u00e9\ud83d\ude00"}`, `{"x":"\ud83d"}`, `{"x":"\ud83d\u0041"}`,
	`{"x":"\ude00\ud83d"}`, `{"x":"\ud83d\ud83d\ude00"}`, `{"x":"\u00g0"}`, `{"x":"\u00"}`, `{"x":"\u"}`,
	`{"x":"\uD83D\uDE00"}`,
	`{"x":"\a"}`, `{"x":"\`, `{"x":"\"}`, `{"x":"` + "\x01" + `"}`, `{"x":"` + "\n" + `"}`, `{"x":"` +
		"\xff\xc3\x28 \xed\xa0\x80 é 😀 \u2028" + `"}`, "{\"x\":\"\x7f\"}", `{"\u0078":1}`, "{\"\xff\":1}", `{"a\nb":"c"}`,
	`{"x":true,"y":false,"z":null}`, `{"x":tru}`, `{"x":nul`, `{"x":True}`, `{"x":nullx}`, `{"x":truefalse}`,
	`{`, `{"`, `{"x"`, `{"x":`, `{"x":1`, `{"x":1,`, `{"x":1,}`, `{,}`, `{"x" 1}`, `{"x":1 "y":2}`, `{x:1}`, `{'x':1}`,
	`{"x":1}}`, `{"x":1} {}`, `{"x":1}x`, `{1:2}`, `{null:1}`,
	`{"x":[1,2,3]}`, `{"x":[1,2,]}`, `{"x":[,1]}`, `{"x":[1 2]}`, `{"x":[1,2}`, `{"x":[}`, `{"x":[[1,2],[],[3]]}`,
	`{"x":[[1],2]}`, `{"x":[1,"2"]}`, `{"x":[true]}`, `{"x":[1e999]}`, `{"x":{"a":1}}`,
	"{\"x\":1}\x00", "\x00{}", "{\x00}", "{\"x\":\x001}", "{\u00a0}", "\ufeff{}",
	`{"x":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}`, `{"x":` + strings.Repeat("[", 10000) +
		strings.Repeat("]", 10000) + `}`,
	`{"x":` + strings.Repeat(`{"y":`, 9999) + `1` + strings.Repeat("}", 9999) + `}`, `{"x":` +
		strings.Repeat(`{"y":`, 10000) + `1` + strings.Repeat("}", 10000) + `}`,
}

// same checks that this package and encoding/json agree on a text.
func same(t *testing.T, b []byte) {
	t.Helper()
	at := string(b[:min(len(b), 200)])
	if c := bytes.TrimLeft(b, " \t\r\n"); len(c) == 0 || c[0] != '{' {
		if _, err := ReadObject(b, nil); err == nil {
			t.Errorf("%q is accepted, but is not an object", at)
		}
		return
	}
	var want map[string]json.RawMessage
	wrong := json.Unmarshal(b, &want)
	got, err := ReadObject(b, nil)
	if err != nil && strings.Contains(err.Error(), "is given twice") {
		return
	}
	if (err == nil) != (wrong == nil) {
		t.Errorf("%q: error %v, encoding/json gives %v", at, err, wrong)
	}
	if err != nil || wrong != nil {
		return
	}
	if len(got) != len(want) {
		t.Errorf("%q: %d fields, encoding/json finds %d", at, len(got), len(want))
	}
	for name, raw := range want {
		v, ok := got[name]
		if !ok || string(v.raw) != string(raw) {
			t.Errorf("%q: %q is %q, encoding/json finds %q", at, name, v.raw, raw)
			continue
		}
		sameValue(t, name, raw, v.Text)
		sameValue(t, name, raw, v.Bool)
		sameValue(t, name, raw, v.Int)
		sameValue(t, name, raw, v.Number)
		sameValue(t, name, raw, v.Numbers)
		sameValue(t, name, raw, v.Table)
		var inner map[string]json.RawMessage
		if err := json.Unmarshal(raw, &inner); err == nil && raw[0] == '{' && len(raw) < 1000 {
			same(t, raw)
		}
	}
}

func sameValue[T any](t *testing.T, name string, raw []byte, read func() (T, error)) {
	t.Helper()
	var want T
	wrong := json.Unmarshal(raw, &want)
	if bytes.Contains(raw, []byte("null")) && raw[0] != '"' {
		wrong = errNull // encoding/json reads it as 0, or ignores it
	}
	var x float64
	if n, ok := any(&want).(*int); ok && wrong != nil && json.Unmarshal(raw, &x) == nil && x == math.Trunc(x) &&
		math.Abs(x) <= 1<<53 && string(raw) != "null" {
		*n, wrong = int(x), nil // written as 1e3 or 1000.0, which encoding/json rejects for an int
	}
	got, err := read()
	if (err == nil) != (wrong == nil) || err == nil && fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
		t.Errorf("%s = %q as %T: %v, %v; encoding/json reads %v, %v", name, raw, want, got, err, want, wrong)
	}
	if err != nil && !reflect.ValueOf(&got).Elem().IsZero() {
		t.Errorf("%s = %q: value %v with the error %v", name, raw, got, err)
	}
}

func TestReadsAsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, s := range documents {
		same(t, []byte(s))
	}
}

// Random documents with random damage. The test was checked with planted errors, all of which it finds: a leading zero,
// a point without digits, a comma before a bracket, a control character in a string, and a lone surrogate that swallows
// the next character.
func TestReadsRandomDocuments(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 60000 {
		var b []byte
		if r.IntN(2) == 0 {
			b = []byte(documents[r.IntN(len(documents)-4)])
		} else {
			b = []byte(`{"x":` + randomValue(r, 3) + `,"` + string(randomText(r)) + `": ` + randomValue(r, 3) + `}`)
		}
		for range r.IntN(3) {
			const likely = "{}[]\",:\\u0123456789abcdefDE+-.nulltrue \n\x00\xff"
			i := r.IntN(len(b) + 1)
			switch c := likely[r.IntN(len(likely))]; {
			case r.IntN(3) == 0 || i == len(b):
				b = append(b[:i:i], append([]byte{c}, b[i:]...)...)
			case r.IntN(2) == 0:
				b[i] = c
			default:
				b = append(b[:i:i], b[i+1:]...)
			}
			if len(b) == 0 {
				break
			}
		}
		same(t, b)
	}
}

func randomValue(r *rand.Rand, depth int) string {
	several := func(item func() string) string {
		var list []string
		for range r.IntN(4) {
			list = append(list, item())
		}
		return strings.Join(list, ",")
	}
	switch k := r.IntN(8); {
	case k == 0:
		return []string{"true", "false", "null"}[r.IntN(3)]
	case k < 3 || depth == 0:
		return []string{fmt.Sprint(r.NormFloat64()), fmt.Sprint(r.IntN(100)),
			fmt.Sprintf("%.*e", r.IntN(25), math.Ldexp(r.Float64(), r.IntN(2000)-1000)),
			fmt.Sprint(int64(r.Uint64()))}[r.IntN(4)]
	case k == 3:
		return `"` + string(randomText(r)) + `"`
	case k < 6:
		return "[" + several(func() string { return fmt.Sprint(r.NormFloat64()) }) + "]"
	case k == 6:
		return "[" + several(func() string { return randomValue(r, depth-1) }) + "]"
	}
	return "{" + several(func() string { return `"` + string(randomText(r)) + `":` + randomValue(r, depth-1) }) + "}"
}

func randomText(r *rand.Rand) []byte {
	var b []byte
	for range r.IntN(5) {
		b = append(b, []string{"a", "é", "😀", "\xff", "\xed\xa0", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83d`, `\ude00`,
			`\uD83D\uDE00`, `\u0000`}[r.IntN(14)]...)
	}
	return b
}

func FuzzReadObject(f *testing.F) {
	for _, s := range documents[:len(documents)-4] {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		same(t, b)
	})
}

// An error says in one line what is wrong, and where.
func TestErrors(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{`{"x":1,}`, `unexpected "," at line 1, column 7`}, {"{\"x\":\n[1,2", "it ends too early, at line 2, column 5"},
		{`{"x":01}`, `unexpected "1" at line 1, column 7`},
		{`{"x":1,"\u0078":2}`, `the field "x" is given twice, again at line 1, column 8`},
		{`[1]`, `unexpected "[" at line 1, column 1`},
	} {
		if _, err := ReadObject([]byte(c[0]), nil); err == nil || err.Error() != c[1] {
			t.Errorf("%s: error %v, want %s", c[0], err, c[1])
		}
	}
	for _, c := range [][2]string{
		{`[[1,2],[3,"NaN"]]`, `row 1: entry 1: "NaN" is not a number`}, {`[[1],null]`, "there is a null among the numbers"},
		{`[[1],[null]]`, "there is a null among the numbers"},
		{`[[1],2]`, "row 1: 2 is not a list of numbers"}, {`3`, "3 is not a list of lists of numbers"},
		{`[[1e999]]`, "row 0: entry 0: 1e999 is too large a number"},
		{"{\"a\":\n1}", `{"a":... is not a list of lists of numbers`},
		{`"` + strings.Repeat("y", 40) + `"`, `"` + strings.Repeat("y", 23) + "... is not a list of lists of numbers"},
	} {
		o, err := ReadObject([]byte(`{"W":`+c[0]+`}`), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o["W"].Table(); err == nil || err.Error() != c[1] {
			t.Errorf("%s: error %v, want %s", c[0], err, c[1])
		}
	}
	for _, v := range []Value{{}, {raw: []byte("null")}} {
		if _, err := v.Object(); err == nil || !v.IsNull() {
			t.Errorf("%q is an object, or not null", v.raw)
		}
	}
}

// weights returns a file of an RBM of 784 x 500 units, 8 MB.
func weights() []byte {
	r := rand.New(rand.NewPCG(5, 6))
	w := make([][]float64, 784)
	for i := range w {
		w[i] = make([]float64, 500)
		for j := range w[i] {
			w[i][j] = r.NormFloat64()
		}
	}
	text, err := json.Marshal(map[string]any{"W": w})
	if err != nil {
		panic(err)
	}
	return text
}

func BenchmarkTable(b *testing.B) {
	text := weights()
	b.Run("jsontext", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			o, err := ReadObject(text, nil)
			if err != nil {
				b.Fatal(err)
			}
			if x, err := o["W"].Table(); err != nil || len(x) != 784 || len(x[783]) != 500 {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			var f map[string]json.RawMessage
			if err := json.Unmarshal(text, &f); err != nil {
				b.Fatal(err)
			}
			var x [][]float64
			if err := json.Unmarshal(f["W"], &x); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A list may contain values of any type.
func TestList(t *testing.T) {
	t.Parallel()
	o, err := ReadObject([]byte(`{"x":[{"a":1}, "b" ,[2,3],null],"y":[],"z":{}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	all, err := o["x"].List()
	if err != nil || len(all) != 4 {
		t.Fatalf("%d values, %v", len(all), err)
	}
	text, err := all[1].Text()
	inner, err2 := all[2].Numbers()
	if err != nil || text != "b" || err2 != nil || len(inner) != 2 || !all[3].IsNull() {
		t.Errorf("%q %v, %v %v", text, err, inner, err2)
	}
	if none, err := o["y"].List(); err != nil || len(none) != 0 {
		t.Errorf("an empty list: %v, %v", none, err)
	}
	if _, err := o["z"].List(); err == nil {
		t.Error("List accepts an object")
	}
}
