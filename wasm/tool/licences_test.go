package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// LICENSE.txt of the site has the licences of Go and of every module in its programs, each text once.
func TestLicences(t *testing.T) {
	t.Chdir(root)
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := func(path string) string {
		_, v, _ := strings.Cut(string(mod), path+" ")
		return strings.Fields(v)[0]
	}
	list := func(paths ...string) []byte {
		text := "zeros \x00\x00" + modulesBegin + "path\tlogzlab/wasm/canvas\nmod\tlogzlab\t(devel)\t\n"
		for _, p := range paths {
			text += "dep\t" + p + "\t" + version(p) + "\th1:abc=\n"
		}
		return []byte(text + "build\tGOOS=js\n" + modulesEnd + "dep\tnot/a/module\tv1.0.0\n")
	}
	got, err := licences([]byte("ours\n"), map[string][]byte{
		"logz.wasm.gz":   list("rsc.io/qr", "golang.org/x/text"),
		"canvas.wasm.gz": list("github.com/hajimehoshi/ebiten/v2", "golang.org/x/text"), "de.gz": []byte("words"),
	})
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	for _, part := range []string{"ours\n", "Go\ngolang.org/x/text " + version("golang.org/x/text") + "\n",
		"Redistribution and use in source and binary forms", "rsc.io/qr " + version("rsc.io/qr") + "\n",
		"github.com/hajimehoshi/ebiten/v2 " + version("github.com/hajimehoshi/ebiten/v2") + "\n\n",
		"Apache License"} {
		if strings.Count(text, part) == 0 {
			t.Errorf("LICENSE.txt has no %q", part)
		}
	}
	if n := strings.Count(text, "Version 2.0, January 2004"); n != 1 || strings.Contains(text, "not/a/module") {
		t.Errorf("the Apache licence stands there %d times", n)
	}
	if _, err := licences(nil, map[string][]byte{"a": []byte(strings.Replace(string(list("rsc.io/qr")),
		version("rsc.io/qr"), "v9.9.9", 1))}); err == nil || !strings.Contains(err.Error(), "build it again") {
		t.Errorf("a program of other modules: %v", err)
	}
	if _, err := licenceIn(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("no folder: %v", err)
	}
}
