package page

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// TestPageAsSingleFile: the page as one file has the link of the experiment with the checksums of a finished run, the lab's
// address, and the files of its model, or the user's own.
func TestPageAsSingleFile(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/in/index.html", Language: "en",
		Link: "#v=1&model=rbm-pcd-20&method=ais&ais.chains=2&ais.temperatures=5&view.hide=seed"})
	p.finish()
	hash := p.row("ais").Cells["hash"].Value
	p.controller.Event(state.Event{Name: "export", Value: "alone"})
	want := "logz-rbm-pcd-20-ais-seed1.html\n" + `{"link":"#v=1\u0026model=rbm-pcd-20\u0026method=ais\u0026ais.chains=2` +
		`\u0026ais.temperatures=5\u0026view.expect=` + hash + `","lab":"https://lab.example/in/index.html"}`
	if got := p.Downloads[len(p.Downloads)-1]; got != want {
		t.Errorf("kept %s\nwant %s", got, want)
	}
	if len(p.Files) != 3 || len(p.Files["models/rbm-pcd-20.npz"]) < 1000 {
		t.Errorf("kept with %d files", len(p.Files))
	}
	gmm := []byte(`{"kind":"gmm","d":1,"base_sd":2,"logC":1,"weights":[1],"means":[[0]],"sds":[1]}`)
	p.controller.Open("#v=1&model=" + modelfile.ID(gmm) + "&method=ais")
	p.controller.Event(state.Event{Name: "sheet", Value: "export"})
	p.show()
	if s := string(p.parts["sheet"]); !strings.Contains(s, `data-value="alone" disabled`) {
		t.Errorf("a page without its own file can be kept: %s", s)
	}
	p.controller.File("mine.json", gmm, 1)
	p.finish()
	p.controller.Event(state.Event{Name: "export", Value: "alone"})
	if got := p.Downloads[len(p.Downloads)-1]; !strings.Contains(got, `"own":"mine.json"`) || len(p.Files) != 1 ||
		string(p.Files["own"]) != string(gmm) {
		t.Errorf("with an own file: kept %s, %q", got, p.Files)
	}
}

// TestPageFromFile: in a page that is one file all links lead to the lab, and a model that is not in it is not looked
// for on a server.
func TestPageFromFile(t *testing.T) {
	p := newPage(t, 1)
	p.lost["rbm-pcd-20.npz"] = true
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/in/", SingleFile: true, Language: "en",
		Link: "#v=1&model=rbm-pcd-20&method=ais&ais.chains=2"})
	p.until("a message", func() bool { p.show(); return p.view.Message != nil })
	if want := "This file holds only the model of its own experiment, not rbm-pcd-20.npz. Other models run in the lab " +
		"at https://lab.example/in/#v=1&model=rbm-pcd-20&method=ais&ais.chains=2. "; !strings.HasPrefix(
		p.view.Message.Text, want) {
		t.Errorf("says %q", p.view.Message.Text)
	}
	for _, link := range []string{`href="https://lab.example/in/./"`,
		`href="https://lab.example/in/experiments/index.html"`} {
		if !strings.Contains(string(p.parts["top"]), link) {
			t.Errorf("the head has no %s", link)
		}
	}
}

// TestFreshSeed: a link for a class draws a new seed for everybody, writes the seed into the address, and expects no
// digits. The page says so when no other computer can open its address.
func TestFreshSeed(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Base: "http://localhost:8080/", Language: "en",
		Link: "#v=1&model=mixture2&method=is&is.particles=10"})
	p.finish()
	p.controller.Event(state.Event{Name: "share"})
	for _, name := range []string{"receipt", "fresh"} {
		p.controller.Event(state.Event{Name: "show", Value: name, On: true})
	}
	p.show()
	const link = "#v=1&model=mixture2&method=is&is.particles=10&view.fresh=1"
	if s := string(p.parts["sheet"]); !strings.Contains(s, ">http://localhost:8080/"+html.Escape(link)+"<") ||
		!strings.Contains(s, "only on this computer") {
		t.Errorf("the share sheet: %s", s)
	}
	p.controller.Start(state.BrowserPage{Base: "https://lab.example/", Language: "en", Link: link + "&view.expect=0123456789abcdef"})
	p.finish()
	if p.controller.Settings.Expect != nil || strings.Contains(p.view.Link, "expect") {
		t.Error("digits of another seed are expected")
	}
	if p.controller.Spec.Seed == 1 || !strings.Contains(p.view.Link, "&seed=") || strings.Contains(p.view.Link, "fresh") {
		t.Errorf("opened, seed %d and link %s", p.controller.Spec.Seed, p.view.Link)
	}
	p.controller.Event(state.Event{Name: "share"})
	p.show()
	if s := string(p.parts["sheet"]); strings.Contains(s, "only on this computer") {
		t.Error("a public address is called local")
	}
}

// The QR code on a projector leads to the current run. If phones cannot open the address of the page, the reason is
// shown in place of the code.
func TestProjectorCode(t *testing.T) {
	for base, local := range map[string]bool{"http://127.0.0.1:8080/": true, "https://lab.example/": false} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Base: base, Language: "en", Link: "#v=1&model=mixture2&method=is&view.projector=1"})
		p.finish()
		checks := string(p.parts["r-checks"])
		if strings.Contains(checks, "only on this computer") != local || strings.Contains(checks, `class="qr`) == local {
			t.Errorf("%s: %s", base, checks)
		}
	}
}

// The embed code of the documentation has a link that runs, embedded, and the size that the page gives its own code.
func TestEmbedOfDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../site/docs/sharing.md")
	if err != nil {
		t.Fatal(err)
	}
	frame := regexp.MustCompile(`<iframe\s+src="[^"#]*#([^"]*)"\s+title="[^"]+"\s+(width="100%" height="640")`)
	code := frame.FindSubmatch(text)
	if code == nil {
		t.Fatal("no embed code")
	}
	p := newPage(t, 1)
	p.controller.Open(string(code[1]))
	p.finish()
	if !p.controller.Settings.Embed || p.view.Message != nil {
		t.Errorf("%s: embedded %v, says %v", code[1], p.controller.Settings.Embed, p.view.Message)
	}
	if !strings.Contains(p.controller.Snapshot().EmbedCode(), string(code[2])) {
		t.Errorf("the page's own code is %s", p.controller.Snapshot().EmbedCode())
	}
}
