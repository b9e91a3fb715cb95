package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"logzlab/wasm/rooms/edge/native"
)

// cmdServe serves a folder like a static host: `serve ADDR DIR`. With `serve ADDR DIR FILE [NAME...]` it also offers
// rooms, stored in the SQLite file FILE, and accepts requests for the host names NAME.
func cmdServe(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: tool serve ADDR DIR [FILE [NAME...]]")
	}
	addr, dir, names := args[0], args[1], args[min(len(args), 3):]
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("no site in %s: %w; run ./build.sh build", dir, err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("%w; give another address, as in ./build.sh serve 127.0.0.1:8081", err)
	}

	// The site, and its rooms.
	address := native.Reached(l.Addr())
	handler := staticFiles(dir, false)
	if len(args) > 2 {
		if _, err := withRooms(dir); err != nil {
			return err
		}
		rooms, _, err := native.Server(args[2])
		if err != nil {
			return err
		}
		if host, _, _ := net.SplitHostPort(address); !net.ParseIP(host).IsLoopback() {
			rooms.Addresses = []string{"http://" + address + "/"}
		}
		handler = staticFiles(dir, true)
		mux := http.NewServeMux()
		mux.Handle("/", handler)
		mux.Handle("/api/", rooms.Handler())
		mux.Handle("/s/", rooms.Handler())
		handler = mux
	}
	fmt.Printf("LogZ Lab is at http://%s/ (Ctrl-C ends it)\n", address)
	return native.Web(handler, names...).Serve(l)
}

// staticFiles returns a handler that serves the files of dir, with roomsMark if rooms is set, and makes the browser
// check for newer files. It sends .gz files without Content-Encoding, because the page decompresses them.
func staticFiles(dir string, rooms bool) http.Handler {
	files := http.FileServer(http.Dir(dir))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		if filepath.Ext(r.URL.Path) == ".gz" {
			w.Header().Set("Content-Type", "application/gzip")
		}
		name := cmp.Or(strings.TrimPrefix(r.URL.Path, "/"), "index.html")
		if rooms && (name == "index.html" || name == "sw.js") { // at each request, because the site may have been rebuilt
			if marked, err := withRooms(dir); err == nil {
				http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(marked[name]))
				return
			}
		}
		file := filepath.Join(dir, filepath.FromSlash(path.Clean("/"+r.URL.Path)))
		if st, err := os.Stat(file); err == nil && st.IsDir() {
			if _, err := os.Stat(filepath.Join(file, "index.html")); err != nil {
				http.NotFound(w, r) // folders are not listed
				return
			}
		}
		files.ServeHTTP(w, r)
	})
}
