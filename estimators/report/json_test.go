package report

import (
	"context"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"testing"
)

// MarshalJSON is for encoding/json, with which the tests compare.
func (x Number) MarshalJSON() ([]byte, error) {
	if v := float64(x); v-v == 0 {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// asTagged checks that a text says what encoding/json makes of x by its struct tags,
// with the fields in the same order.
func asTagged(t *testing.T, what string, text []byte, x any) {
	t.Helper()
	plain, err := json.Marshal(x)
	if err != nil {
		t.Fatal(err)
	}
	var got, want any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v in %s", what, err, text)
	}
	json.Unmarshal(plain, &want)
	if !reflect.DeepEqual(got, want) || !slices.Equal(names(text), names(plain)) {
		t.Errorf("%s\n%s\nencoding/json writes\n%s", what, text, plain)
	}
}

// names lists all texts of a document in their order, names of fields among them.
func names(b []byte) []string {
	var out []string
	for at := 0; at < len(b); at++ {
		if b[at] != '"' {
			continue
		}
		end := at + 1
		for b[end] != '"' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		var s string
		json.Unmarshal(b[at:end+1], &s)
		out = append(out, s)
		at = end
	}
	return out
}

// fill sets every field below v to something of its own, and is told what maps and
// lists hold: nothing, emptiness or an entry.
func fill(v reflect.Value, size int, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"plain", "", `"<b class="x">&amp;</b>\`, "é 😀\n\x01\xff\u2028"}[*n%4])
	case reflect.Bool:
		v.SetBool(*n%2 == 0)
	case reflect.Float64:
		v.SetFloat([]float64{math.Pi, 1e-9, -1e22, math.NaN(), 0, 5}[*n%6])
		if v.Type() == reflect.TypeFor[float64]() && *n%6 == 3 {
			v.SetFloat(1) // encoding/json takes no NaN
		}
	case reflect.Int:
		v.SetInt(int64(-*n))
	case reflect.Uint32:
		v.SetUint(uint64(math.MaxUint32 - *n))
	case reflect.Pointer:
		if size > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), size, n)
		}
	case reflect.Slice:
		if size >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), size, size))
		}
		for i := range v.Len() {
			fill(v.Index(i), size, n)
		}
	case reflect.Map:
		if size >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
		}
		for i := range size {
			x := reflect.New(v.Type().Elem()).Elem()
			fill(x, size, n)
			v.SetMapIndex(reflect.ValueOf([]string{"b", "a", "<c>"}[i%3]), x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
				fill(v.Field(i), size, n)
			}
		}
	}
}

// Whatever the fields hold, each is written under its tag. Leaving out, swapping or
// misspelling any field fails, because each has another value.
func TestJSONAsTagged(t *testing.T) {
	n := 0
	for size := -1; size <= 3; size++ {
		for range 12 { // each field has each of the values
			n++
			r, s, l, g := &Report{}, &Report{}, Listing{}, []GoldenResult(nil)
			for _, x := range []any{r, s, &l, &g} {
				fill(reflect.ValueOf(x).Elem(), size, &n)
			}
			asTagged(t, "one report", JSON([]*Report{r}), r)
			asTagged(t, "two reports", JSON([]*Report{r, s}), []*Report{r, s})
			asTagged(t, "listing", l.JSON(), l)
			asTagged(t, "check", CheckJSON(g), g)
		}
	}
}

// The same for what there is: real reports, the listing and the golden results.
func TestJSONOfRuns(t *testing.T) {
	asTagged(t, "listing", List().JSON(), List())
	asTagged(t, "no reports", JSON([]*Report{}), []*Report{})
	asTagged(t, "check", CheckJSON([]GoldenResult{{Link: "v=1&model=x", Problem: "it's \"<new>\""}}), []GoldenResult{{Link: "v=1&model=x", Problem: "it's \"<new>\""}})
	for _, link := range []string{"v=1&model=mixture2&method=is,ais&replicates=2&is.particles=20&ais.chains=2&ais.temperatures=5", "v=1&model=gpc-2d&method=arm&arm.particles=10"} {
		reports, err := RunLink(context.Background(), link, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(reports) == 1 {
			asTagged(t, link, JSON(reports), reports[0])
		} else {
			asTagged(t, link, JSON(reports), reports)
		}
	}
}
