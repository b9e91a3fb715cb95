package main

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// cmdServe serves a folder as a plain static host would: `serve ADDR DIR`.
func cmdServe(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: tool serve ADDR DIR")
	}
	addr, dir := args[0], args[1]
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("no site in %s: %w; run ./build.sh build", dir, err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w; give another address, as in ./build.sh serve 127.0.0.1:8081", err)
	}
	fmt.Printf("LogZ Lab is at http://%s/ (Ctrl-C ends it)\n", l.Addr())
	s := &http.Server{Handler: static(dir), ReadHeaderTimeout: 10 * time.Second}
	return s.Serve(l)
}

// static serves the files of dir, always asking the browser to check for newer
// ones. A .gz is sent as it is, without Content-Encoding: the page inflates it.
func static(dir string) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		if filepath.Ext(r.URL.Path) == ".gz" {
			w.Header().Set("Content-Type", "application/gzip")
		}
		files.ServeHTTP(w, r)
	})
}
