package spec_test

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/internal/bound"
	"logzlab/internal/tier"
)

var names = catalog.Names{}

// randomValue returns a valid text of p, not always canonical.
func randomValue(s *rng.Stream, p spec.Param) string {
	switch p.Type {
	case "int":
		x := p.Min + math.Floor(s.Float64()*(min(p.Max, 1e6)-p.Min+1))
		return spec.Decimal(x) + []string{"", "", ".0", "e0"}[s.Intn(4)]
	case "float":
		x := p.Min + s.Float64()*(p.Max-p.Min)
		if s.Intn(3) == 0 {
			x = math.Floor(x)
		}
		return spec.Decimal(x) + []string{"", "e0"}[s.Intn(2)]
	case "choice":
		return p.Choices[s.Intn(len(p.Choices))]
	}
	if p.Name == "schedule" {
		return []string{"linear", "power:5", "power:2.50", "geometric:1e-3", "sigmoid:4", "sm08"}[s.Intn(6)]
	}
	return p.Default
}

// Random experiments with the real catalog survive the way to a link and back.
func TestLinkRoundTrip(t *testing.T) {
	t.Parallel()
	for i := range tier.Draws(3000) {
		s := rng.NewKey(1, "link", i).Stream(0, 0, 0)
		model := "file:0123456789ab"
		if all := names.ModelNames(); s.Intn(5) > 0 {
			model = all[s.Intn(len(all))]
		}
		var methods []string
		for _, m := range names.MethodNames() {
			if s.Intn(2) == 0 {
				methods = append(methods, m)
			}
		}
		if s.Intn(2) == 0 {
			slices.Reverse(methods)
		}
		if len(methods) == 0 {
			methods = []string{"ais"}
		}
		x, err := spec.New(model, methods, names)
		if err != nil {
			t.Fatal(err)
		}
		put := func(key, value string) {
			if err := x.PutKey(names, key, value); err != nil {
				t.Fatalf("%s = %s: %v", key, value, err)
			}
		}
		put("seed", spec.Decimal(float64(s.Uint32())))
		put("replicates", spec.Decimal(float64(1+s.Intn(9))))
		for _, p := range names.ModelParams(model) {
			if s.Intn(2) == 0 {
				put(p.Name, randomValue(&s, p))
			}
		}
		for _, m := range methods {
			params, _ := names.MethodParams(m)
			for _, p := range params {
				if s.Intn(3) == 0 {
					put(m+"."+p.Name, randomValue(&s, p))
				}
			}
		}
		x.Prune(names)
		link := x.Link()
		y, err := spec.ParseLink("https://example.org/lab/?workers=2#"+link, names)
		if err != nil {
			t.Fatalf("%s: %v", link, err)
		}
		if !reflect.DeepEqual(x, y) {
			t.Fatalf("%s: %+v became %+v", link, x, y)
		}
		if y.Link() != link {
			t.Fatalf("%s became %s", link, y.Link())
		}
		// The keys of a link in any order mean the same experiment.
		parts := strings.Split(link, "&")
		for k := range parts {
			j := s.Intn(k + 1)
			parts[k], parts[j] = parts[j], parts[k]
		}
		z, err := spec.ParseLink(strings.Join(parts, "&"), names)
		if err != nil || z.Link() != link {
			t.Fatalf("%v reordered: %v, %v", parts, z, err)
		}
	}
}

// Equal experiments have the same canonical link.
func TestCanonical(t *testing.T) {
	t.Parallel()
	const head = "v=1&model=mixture2&method="
	for _, c := range [][2]string{
		{head + "ais", head + "ais"},
		{"#" + head + "ais", head + "ais"},
		{"http://127.0.0.1:8080/x/#" + head + "ais", head + "ais"},
		{head + "ais&seed=2e3&replicates=1e1", head + "ais&seed=2000&replicates=10"},
		{head + "ais,rts&seed=1&replicates=1&moves=4&ais.chains=100", head + "ais,rts"},
		{head + "ais&replicates=3&ais.schedule=power:5.0&moves=007&seed=0", head +
			"ais&seed=0&ais.schedule=power:5&moves=7&replicates=3"},
		{head + "ais&ais.temperatures=4.321e3&ais.chains=33.0", head + "ais&ais.chains=33&ais.temperatures=4321"},
		{head + "rts,ais", head + "rts,ais"}, // the order of methods is kept
		{head + "ais&view.scene=trace&view.theme=dark", head + "ais"},
		{head + "ais&ais.schedule=power%3A5", head + "ais&ais.schedule=power:5"},
		{"v=1&model=ising16&method=ais&beta=", "v=1&model=ising16&method=ais"}, // empty is beta's default
		{" #" + head + "ais&seed=1 ", head + "ais"},                            // as pasted
		{head + "ais%20&seed=7", head + "ais&seed=7"}, {head + "ais&moves=%207 &seed=7%20", head + "ais&seed=7&moves=7"},
		{head + "auto&target=0.10&limit=1e7", head + "auto"}, {head + "auto&target=0.2", head + "auto&target=0.2"},
		{head + "ais&target=0.1&limit=10000000", head + "ais&target=0.1"},
		{head + "ais,auto&target=0.1", head + "ais,auto&target=0.1"}, // for ais it is not the default
		{"v=1&model=ising16&method=ais&beta=-0", "v=1&model=ising16&method=ais&beta=0"},
		{"v=1&model=ising16&method=ais&beta=%2b4.40e-1", "v=1&model=ising16&method=ais&beta=0.44"},
	} {
		s, err := spec.ParseLink(c[0], names)
		if err != nil {
			t.Errorf("%s: %v", c[0], err)
			continue
		}
		if s.Link() != c[1] {
			t.Errorf("%s became %s, want %s", c[0], s.Link(), c[1])
		}
	}
	s, err := spec.ParseLink(head+"ais&view.scene=trace&seed=5&view.speed=2&view.scene=%zz", names)
	if err != nil || !slices.Equal(s.View, []string{"view.scene=trace", "view.speed=2", "view.scene=%zz"}) {
		t.Errorf("view settings %v, %v", s, err)
	}
}

// Every invalid link is an error that names the fault.
func TestBadLinks(t *testing.T) {
	t.Parallel()
	const head = "v=1&model=mixture2&method=ais"
	for _, c := range [][2]string{
		{"", "not key=value"},
		{"#", "not key=value"},
		{"hello", `"hello" is not key=value`},
		{"v=2&model=mixture2&method=ais", "v=2 is not known"},
		{"v=01&model=mixture2&method=ais", "v=01"},
		{"model=mixture2&method=ais", "v=1"},
		{"v=1&method=ais", "model is missing"},
		{"v=1&model=&method=ais", "model is missing"},
		{"v=1&model=mixture2", "method is missing"},
		{"v=1&model=mixture2&method=", "method \"\" is not known"},
		{"v=1&model=mixture2&method=ais,", "method \"\" is not known"},
		{"v=1&model=nope&method=ais", `model "nope" is not known`},
		{"v=1&model=mixture2&method=nope", `method "nope" is not known`},
		{"v=1&model=mixture2&method=exact", `method "exact" is not known`},
		{"v=1&model=mixture2&method=ais,ais", "method ais is given twice"},
		{"v=1&model=file:123&method=ais", "file:123"},
		{"v=1&model=file:0123456789AB&method=ais", "file:0123456789AB"},
		{"v=1&model=file:0123456789abc&method=ais", "file:0123456789abc"},
		{head + "&v=1", "v is given twice"},
		{head + "&seed=1&seed=1", "seed is given twice"},
		{head + "&ais.chains=5&ais.chains=5", "ais.chains is given twice"},
		{head + "&seed=-1", "seed = -1 is out of range"},
		{head + "&seed=4294967296", "seed = 4294967296 is out of range; it must be between 0 and 4294967295"},
		{head + "&replicates=0", "replicates = 0 is out of range; it must be between 1 and 100000"},
		{head + "&seed=1.5", `seed = "1.5"`},
		{head + "&seed=", `seed = ""`},
		{head + "&replicates=1e9", "replicates"},
		{head + "&nope=3", "nope is not a parameter"},
		{head + "&chains=3", "chains is not a key; it is written ais.chains"},
		{head + "&moves=0&ais.chains=0", "10000; besides, ais.chains = 0"}, // "link:" appears once, before all errors
		{head + "&ais.chains=3&chains=3", "chains is not a key"},
		{head + "&ais.nope=3", "ais.nope is not a parameter"},
		{head + "&rts.chains=3", "method rts is not among the chosen ones"},
		{head + "&beta=0.3", "beta is not a parameter"}, // mixtures have none
		{head + "&ais.chains=0", "ais.chains = 0 is out of range"},
		{head + "&ais.chains=ten", `ais.chains = "ten"`},
		{head + "&ais.chains=2.5", `ais.chains = "2.5"`},
		{head + "&ais.chains=NaN", "ais.chains"},
		{head + "&ais.chains=1e400", "ais.chains"},
		{head + "&ais.chains=", "ais.chains"},
		{head + "&ais.temperatures=1", "ais.temperatures = 1 is out of range"},
		{head + "&ais.schedule=straight", "ais.schedule"},
		{head + "&ais.schedule=power:-1", "ais.schedule"},
		{head + "&ais.schedule=geometric:2", "ais.schedule"},
		{head + "&seed=%zz", "the value of seed is not valid percent-encoding"},
		{head + "&seed=%", "percent-encoding"},
		{head + "&=3", "is not key=value"},
		{"v=1&Model=mixture2&method=ais", "Model is not a key; keys are in lower case, as model"},
		{head + "&AIS.chains=7", "AIS.chains is not a key; keys are in lower case, as ais.chains"},
		{head + "&model.moves=7", "model.moves is not a key; it is written moves"},
		{head + "&colour", "write for example seed=7"},
		{head + "&", "is not key=value"},
		{head + "&&seed=2", "is not key=value"},
		{"v=1&model=ising16&method=ais&beta=Inf", "beta"},
		{"v=1&model=ising16&method=ais&beta=NaN", "beta"},
		{"v=1&model=ising16&method=ais&form=joint", "form is not a parameter"},
		{"v=1&model=rbm-pcd-20&method=ais&form=both", "form"},
		{"v=1&model=gpc-1d&method=rm&rm.absent=rates", "link: rm.absent has no effect on this model; leave it out"},
		{"v=1&model=rbm-pcd-20&method=ais,rts&order=random", "order has no effect on ais, rts; leave it out"},
		{"v=1&model=rbm-pcd-20&method=ais,rm,arm&order=random", "order has no effect with arm.absent = sampled"},
		{"v=1&model=rbm-pcd-20&method=rm&form=joint", "form has no effect on rm"},
		{"v=1&model=gpc-1d&method=rm&sampler=ess", "sampler has no effect on rm"},
		{"v=1&model=gpc-1d&method=is&leaps=3", "leaps has no effect on is"},
		{"v=1&model=gpc-1d&method=ais&leaps=3&sampler=ess", "leaps has no effect with sampler = ess; leave it out"},
		{head + "&leaps=3",
			"leaps has no effect with proposal = mh, which is its default; leave leaps out, or set proposal to another value"},
		{"v=1&model=mixture2&method=smc&smc.cess=.5", "smc.cess has no effect with smc.adaptive = no, w"},
		{"v=1&model=mixture2&method=rts&rts.adapt_sweeps=9", "rts.adapt_sweeps has no effect with rts.init = ais"},
		{"v=1&model=mixture2&method=ti&ti.init_rounds=9&ti.samples=fixed", "no effect with ti.samples = fixed"},
	} {
		s, err := spec.ParseLink(c[0], names)
		if err == nil {
			t.Errorf("%s is accepted as %s", c[0], s.Link())
		} else if !strings.Contains(err.Error(), c[1]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want %q in one line", c[0], err, c[1])
		}
	}
}

// The link of every built-in model with all methods has fewer than 500 characters.
func TestLinksAreShort(t *testing.T) {
	t.Parallel()
	for _, m := range names.ModelNames() {
		s, err := spec.New(m, names.MethodNames(), names)
		if err != nil || len(s.Link()) >= 500 {
			t.Errorf("%s: %v, %v", m, s.Link(), err)
		}
	}
}

func TestDecimal(t *testing.T) {
	t.Parallel()
	for x, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", 0.1: "0.1", 1e-5: "0.00001", 1e-6: "1e-06",
		123456789: "123456789", 1e15: "1e+15", 2.5e-300: "2.5e-300", 1. / 3: "0.3333333333333333",
	} {
		if got := spec.Decimal(x); got != want {
			t.Errorf("Decimal(%v) = %s, want %s", x, got, want)
		}
	}
	s := rng.NewKey(1, "decimal", 0).Stream(0, 0, 0)
	for range 20000 { // every finite number survives the round trip, bit for bit
		x := math.Float64frombits(uint64(s.Uint32())<<32 | uint64(s.Uint32()))
		if y, err := strconv.ParseFloat(spec.Decimal(x), 64); num.Finite(x) &&
			(err != nil || math.Float64bits(x) != math.Float64bits(y)) {
			t.Errorf("Decimal(%v) = %s, which parses to %v, %v", x, spec.Decimal(x), y, err)
		}
	}
}

func FuzzParseLink(f *testing.F) {
	for _, l := range []string{
		"v=1&model=mixture2&method=ais", "#v=1&model=ising16&method=ais,rts&beta=0.3&view.x=1",
		"v=1&model=file:0123456789ab&method=is&is.particles=1e3&moves=2&form=joint",
		"v=1&model=rbm-pcd-20&method=rts&rts.schedule=power%3A2&seed=7&replicates=3", "v=1&seed=%", "&=#&&",
	} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, link string) {
		defer bound.Check(t)()
		s, err := spec.ParseLink(link, names)
		if err != nil {
			if s != nil {
				t.Errorf("ParseLink(%q) returns a spec and an error", link)
			}
			return
		}
		once := s.Link()
		again, err := spec.ParseLink(once, names)
		if err != nil || again.Link() != once {
			t.Errorf("%q gives %q, which gives %v, %v", link, once, again, err)
		}
	})
}

// A bare name that the model and a method share is an error for Put; "model." or the method's name resolves it. Links
// accept only their own spelling.
func TestPutAmbiguous(t *testing.T) {
	t.Parallel()
	gmm := catalog.Names{File: "file:0123456789ab", Kind: catalog.Kinds.Of("gmm")}
	rbm := catalog.Names{File: "file:0123456789ab", Kind: catalog.Kinds.Of("rbm")}
	for _, c := range []struct {
		names              catalog.Names
		model, method, key string
		want               string // the key of the link, or part of the error
	}{
		{gmm, gmm.File, "smc", "moves", "write model.moves or smc.moves"}, {gmm, gmm.File, "smc", "model.moves", "moves"},
		{gmm, gmm.File, "smc", "smc.moves", "smc.moves"}, {gmm, gmm.File, "ais", "moves", "moves"},
		{rbm, rbm.File, "arm", "moves", "arm.moves"},
		{rbm, rbm.File, "arm", "model.moves", "model has start, form, order"},
		{rbm, rbm.File, "ais", "moves", "moves is not a parameter"},
		{names, "mixture2", "smc", "moves", "write model.moves or smc.moves"}, {names, "mixture2", "rts", "moves", "moves"},
		{names, "rbm-pcd-20", "rm", "moves", "rm.moves"},
	} {
		s, err := spec.New(c.model, []string{c.method}, c.names)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Put(c.names, c.key, "7"); s.Set[c.want] != "7" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %s: %s = 7 sets %v, want %s, error %v", c.model, c.method, c.key, s.Set, c.want, err)
		}
		if again, err := spec.ParseLink(s.Link(), c.names); err != nil || again.Link() != s.Link() {
			t.Errorf("%s: back as %v, error %v", s.Link(), again, err)
		}
	}
	s, err := spec.ParseLink("v=1&model=file:0123456789ab&method=smc&moves=7&smc.moves=3", names)
	if err != nil || s.Set["moves"] != "7" || s.Set["smc.moves"] != "3" {
		t.Errorf("a link with both gives %v, error %v", s, err)
	}
}

// The parameters of a user file stay in the link until the kind of the file is known. Then defaults of that kind are
// dropped, and parameters that the kind does not have are errors.
func TestUnknownKind(t *testing.T) {
	t.Parallel()
	const head = "v=1&model=file:0123456789ab&method=ais"
	for _, c := range []struct{ link, kind, want string }{
		{head + "&order=natural", "gpc", head}, {head + "&start=biases", "rbm", head + "&start=biases"},
		{head + "&order=natural", "rbm", "order has no effect on ais"},
		{head + "&order=variance", "rbm", head},
		{head + "&order=variance", "gpc", "order = \"variance\" must be one of: natural, random"},
		{head + "&form=marginal", "rbm", head}, {head + "&form=marginal", "gpc", "form is not a parameter"},
		{head + "&beta=", "ising", head}, {head + "&beta=", "gpc", "beta is not a parameter"},
		{head + "&length=0.50&moves=4", "gmm", "length is not a parameter"}, {head + "&moves=4.0", "gmm", head},
		{"v=1&model=file:0123456789ab&method=arm&moves=7", "rbm", "moves is not a key; it is written arm.moves"},
	} {
		s, err := spec.ParseLink(c.link, names)
		if err != nil || strings.Count(s.Link(), "&") != strings.Count(c.link, "&") {
			t.Errorf("%s, kind not known: %v, error %v", c.link, s, err)
			continue
		}
		known := catalog.Names{File: "file:0123456789ab", Kind: catalog.Kinds.Of(c.kind)}
		if s, err = spec.ParseLink(s.Link(), known); err == nil && s.Link() != c.want ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s of kind %s: %v, error %v, want %s", c.link, c.kind, s, err, c.want)
		}
	}
}
