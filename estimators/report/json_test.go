package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"logzlab/estimators"
	"logzlab/estimators/catalog"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	x := []Number{0, Number(math.Copysign(0, -1)), 1, -2.5, 1. / 3, 1e-5, 1e-6, 2.5e-300, 1e15, 1e20,
		NaN, Number(math.Inf(1)), Number(math.Inf(-1))}
	const want = `[0,0,1,-2.5,0.3333333333333333,0.00001,1e-06,2.5e-300,1e+15,1e+20,null,null,null]`
	if got := string(Encode(x)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// One report is an object, several are a list, and texts are not escaped for HTML.
func TestJSON(t *testing.T) {
	t.Parallel()
	r := &Report{Link: "v=1&model=<x>"}
	one, many := JSON([]*Report{r}), JSON([]*Report{r, r})
	const want = `{"v":0,"version":"","spec":{"model":"","method":"","seed":0,"replicates":0,"target":0,"limit":0,"params":null},` +
		`"link":"v=1&model=<x>",`
	if string(one[:len(want)]) != want {
		t.Errorf("one report begins with %s", one[:len(want)])
	}
	if got, want := string(many), "["+string(one)+","+string(one)+"]"; got != want {
		t.Errorf("two reports are %s, one is %s", got, one)
	}
	if got := string(JSON([]*Report{})); got != "[]" {
		t.Errorf("no reports are %s", got)
	}
	if !json.Valid(one) || one[len(one)-1] != '}' {
		t.Errorf("%q is not one line of JSON", one)
	}
}

// A field that may be NaN is a Number, or its type has a MarshalJSON method: encoding/json refuses NaN.
func TestReportHasNumbers(t *testing.T) {
	t.Parallel()
	seen := map[reflect.Type]bool{}
	var look func(at string, x reflect.Type)
	look = func(at string, x reflect.Type) {
		if seen[x] {
			return
		}
		seen[x] = true
		if x != reflect.TypeFor[Report]() && x != reflect.TypeFor[*Report]() &&
			x.Implements(reflect.TypeFor[json.Marshaler]()) {
			return
		}
		switch x.Kind() {
		case reflect.Float64, reflect.Float32:
			if x != reflect.TypeFor[Number]() {
				t.Errorf("%s is a %s", at, x)
			}
		case reflect.Pointer, reflect.Slice, reflect.Map:
			look(at, x.Elem())
		case reflect.Struct:
			for i := range x.NumField() {
				if f := x.Field(i); f.IsExported() && f.Tag.Get("json") != "-" {
					look(at+"."+f.Name, f.Type)
				}
			}
		}
	}
	look("Report", reflect.TypeFor[Report]())
}

// The bounds of parameters are finite, so that the listing can be written.
func TestListEncodes(t *testing.T) {
	t.Parallel()
	var l Listing
	if err := json.Unmarshal(Encode(List(catalog.Names{})), &l); err != nil || len(l.Methods) == 0 || len(l.Models) == 0 {
		t.Errorf("%v, %d methods, %d models", err, len(l.Methods), len(l.Models))
	}
}

// Rungs and stages have the fields of their tags, null where a number is not known.
func TestRungJSON(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	for x, want := range map[any]string{
		estimators.Rung{Beta: .5, LogZ: 1e-7, SE: nan}: `{"beta":0.5,"logz":1e-07,"se":null}`,
		estimators.Stage{N: 3, LogZ: nan, SE: 1, R: 2, ESS: 1, Gamma: .5, Share: .25}: `{"n":3,"logz":null,"R":2,"ess":1,` +
			`"gamma":0.5,"share":0.25}`,
	} {
		if got := string(Encode(x)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		for i := range reflect.TypeOf(x).NumField() {
			if tag := reflect.TypeOf(x).Field(i).Tag.Get("json"); tag != "-" && !strings.Contains(want, `"`+tag+`":`) {
				t.Errorf("field %s is not in %s", tag, want)
			}
		}
	}
}
