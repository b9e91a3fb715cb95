package main

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
	"logzlab/wasm/page"
	"logzlab/wasm/page/view"
)

// contract returns the section of site/docs/contract.md with a heading.
func contract(t *testing.T, heading string) string {
	t.Helper()
	b, err := os.ReadFile("../../site/docs/contract.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(b), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("contract.md has no section %q", heading)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

var quoted = regexp.MustCompile("`([^`]*)`")

// quotedIn returns the texts between backquotes.
func quotedIn(text string) (out []string) {
	for _, m := range quoted.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// rows returns the first cells of the tables in text, without their heads.
func rows(text string) string {
	var out []string
	for _, m := range regexp.MustCompile("(?m)^\\| (`[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return strings.Join(out, " ")
}

func sameNames(t *testing.T, what string, documented, real []string) {
	t.Helper()
	for _, name := range documented {
		if !slices.Contains(real, name) {
			t.Errorf("contract.md has the %s %s, the program has not", what, name)
		}
	}
	for _, name := range real {
		if !slices.Contains(documented, name) {
			t.Errorf("the %s %s is not in contract.md", what, name)
		}
	}
}

// Every command of the contract ends with the status in its comment.
func TestContractCommands(t *testing.T) {
	_, block, _ := strings.Cut(contract(t, "The command"), "```sh\n")
	block, _, _ = strings.Cut(block, "```")
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
		command, comment, _ := strings.Cut(line, "   #")
		var args []string
		for _, a := range strings.Fields(command)[1:] {
			args = append(args, strings.Trim(a, `"`))
		}
		want := exitOK
		for status, text := range map[int]string{exitFailed: "status 1", exitUsage: "status 2"} {
			if strings.Contains(comment, text) {
				want = status
			}
		}
		status, out, err := run(args...)
		if status != want || want == exitOK && out == "" || want != exitOK && strings.Count(err, "\n") != 1 {
			t.Errorf("%s: status %d, want %d, stderr %q", line, status, want, err)
		}
		n++
	}
	if n < 8 {
		t.Errorf("only %d commands", n)
	}
}

// paths returns the names of the JSON fields of a type, and of the types of its fields.
func paths(typ reflect.Type, prefix string) (out []string) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct {
		return nil
	}
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "-" || name == "" {
			continue
		}
		out = append(out, prefix+name)
		out = append(out, paths(typ.Field(i).Type, prefix+name+".")...)
	}
	return out
}

// The contract lists the JSON fields of a run, and no others.
func TestContractFields(t *testing.T) {
	text := contract(t, "The JSON of a run")
	documented := quotedIn(rows(text))
	for _, name := range quotedIn(text) {
		if before, _, dotted := strings.Cut(name, "."); dotted && slices.Contains(documented, before) {
			documented = append(documented, name)
		}
	}
	sameNames(t, "field", documented, paths(reflect.TypeFor[report.Report](), ""))
}

// The contract lists the methods whose replicates are averaged in Z.
func TestContractUnbiased(t *testing.T) {
	_, list, _ := strings.Cut(strings.Join(strings.Fields(contract(t, "The JSON of a run")), " "), "with E[Zhat] = Z (")
	list, _, _ = strings.Cut(list, ")")
	var real []string
	for _, m := range catalog.Methods {
		if m.Unbiased {
			real = append(real, m.Name)
		}
	}
	sameNames(t, "method with E[Zhat] = Z", strings.Split(list, ", "), real)
}

// The contract lists every flag.
func TestContractFlags(t *testing.T) {
	_, list, _ := strings.Cut(contract(t, "The JSON of a run"), "- Flags are ")
	list, _, _ = strings.Cut(list, "\n- ")
	var real []string
	for f := range diag.Meanings {
		real = append(real, string(f))
	}
	sameNames(t, "flag", quotedIn(list), real)
}

// The contract lists each parameter of a method or of a model, and no others.
func TestContractParameters(t *testing.T) {
	ofMethods, ofModels, _ := strings.Cut(contract(t, "Parameters"), "| Of models ")
	real := map[string]bool{}
	for _, m := range catalog.Methods {
		for _, p := range m.Params {
			real[p.Name] = true
		}
	}
	sameNames(t, "parameter of methods", quotedIn(rows(ofMethods)), slices.Collect(maps.Keys(real)))
	clear(real)
	for _, p := range (catalog.Names{}).ModelParams("file:000000000000") { // parameters of all kinds
		real[p.Name] = true
	}
	sameNames(t, "parameter of models", quotedIn(rows(ofModels)), slices.Collect(maps.Keys(real)))
}

// The contract lists each parameter of a training, and no others.
func TestContractTraining(t *testing.T) {
	var real []string
	for _, p := range training.Params {
		real = append(real, p.Name)
	}
	sameNames(t, "parameter of a training", quotedIn(rows(contract(t, "Training"))), real)
}

// The examples of model files can be read. Each of their fields is documented and read, and required unless it is in
// italics.
func TestContractFiles(t *testing.T) {
	text := contract(t, "Model files")
	_, block, _ := strings.Cut(text, "```json\n")
	block, _, _ = strings.Cut(block, "```")
	bullets := regexp.MustCompile(`(?ms)^- (\w+): (.*?)(?:\n\n|\n- |\.\n)`)
	documented := map[string]string{}
	for rest := text; ; {
		m := bullets.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		documented[rest[m[2]:m[3]]] = rest[m[4]:m[5]]
		rest = rest[m[5]:]
	}
	open := func(model map[string]any) (int, string) {
		b, err := json.Marshal(model)
		if err != nil {
			t.Fatal(err)
		}
		status, _, stderr := run("link", "-model", write(t, "model.json", b), "-method", "is")
		return status, stderr
	}
	examples := 0
	for d := json.NewDecoder(strings.NewReader(block)); d.More(); examples++ {
		var model map[string]any
		if err := d.Decode(&model); err != nil {
			t.Fatal(err)
		}
		kind := model["kind"].(string)
		if status, err := open(model); status != exitOK {
			t.Errorf("%v: status %d: %s", model, status, err)
		}
		for field, value := range model {
			if field == "kind" {
				continue
			}
			if !strings.Contains(documented[kind], "`"+field+"`") {
				t.Errorf("%s: the field %s is not documented", kind, field)
			}
			model[field] = "?"
			if status, err := open(model); status != exitUsage || !strings.Contains(err, field) {
				t.Errorf("%s: a text in place of %s: status %d, %q", kind, field, status, err)
			}
			delete(model, field)
			optional := strings.Contains(documented[kind], "*`"+field+"`*")
			if status, err := open(model); (status == exitOK) != optional {
				t.Errorf("%s without %s: status %d, optional %v, %q", kind, field, status, optional, err)
			}
			model[field] = value
		}
	}
	if examples != len(documented) {
		t.Errorf("%d examples for %d kinds", examples, len(documented))
	}
	var kinds []string
	for _, k := range catalog.Kinds {
		if k.Reader.Fields != nil { // its files are JSON
			kinds = append(kinds, k.Name)
		}
	}
	sameNames(t, "kind", slices.Collect(maps.Keys(documented)), kinds)
}

// The element ids of the contract are in the markup of the page, and its view settings are the ones that a link may
// have.
func TestContractPage(t *testing.T) {
	markup := ""
	for _, part := range view.Shell("en") {
		markup += string(part)
	}
	ids := regexp.MustCompile("`#([a-z-]+)`").FindAllStringSubmatch(contract(t, "The page"), -1)
	if len(ids) < 10 {
		t.Errorf("only %d ids", len(ids))
	}
	for _, id := range ids {
		if !strings.Contains(markup, `id="`+id[1]+`"`) {
			t.Errorf("the markup has no #%s", id[1])
		}
	}
	for _, attribute := range []string{`data-param="ais.chains"`, `name="method"`, "data-scene="} {
		if !strings.Contains(markup, attribute) {
			t.Errorf("the markup has no %s", attribute)
		}
	}
	var views []string
	for _, m := range regexp.MustCompile("`view\\.([a-z]+)`").FindAllStringSubmatch(contract(t, "Links"), -1) {
		views = append(views, m[1])
	}
	_, err := page.Known().Parse([]string{"view.nosuch=1"})
	if err == nil {
		t.Fatal("view.nosuch is known")
	}
	_, list, _ := strings.Cut(err.Error(), "there are ")
	sameNames(t, "view setting", views, strings.Split(strings.Replace(list, " and ", ", ", 1), ", "))
}
