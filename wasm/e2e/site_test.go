package e2e

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// site is a server of the built site that can simulate faults, such as missing files.
type site struct {
	*httptest.Server
	refuse string // a path that is answered with 404
	worker string // a script put before worker.js
	down   bool   // no request is answered
	spied  bool   // init.js is put into the HTML files, for browsers that cannot inject scripts
	// browser opens the site's tabs; nil means the browser that the tests share.
	browser context.Context
	// instead, if not nil, returns the content to send in place of a file; ok is false to send the file itself.
	instead func(name string, file []byte) (kind string, data []byte, ok bool)
	slow    time.Duration // download time of a program
	encoded bool          // .gz files are sent with a Content-Encoding, so browsers unpack them

	mu      sync.Mutex
	dressed map[string]map[string][]byte // the results of dress, by worker
}

func serve(t testing.TB) *site {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		t.Fatalf("no built site: %v; run ./build.sh build", err)
	}
	return serveFiles(t, os.DirFS(dist))
}

// serveFiles serves the files under /some/path/, because a static host need not serve from the root.
func serveFiles(t testing.TB, files fs.FS) *site {
	s := &site{}
	static := http.StripPrefix("/some/path/", http.FileServerFS(files))
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/some/path/"); {
		case s.down:
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/favicon.ico": // browsers request it by themselves
			w.WriteHeader(http.StatusNoContent)
		case s.refuse != "" && name == s.refuse:
			http.NotFound(w, r)
		case s.spied && name == "init.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, initScript)
		case s.slow > 0 && strings.HasSuffix(name, ".wasm.gz"):
			file, _ := fs.ReadFile(files, name)
			w.Header().Set("Content-Length", fmt.Sprint(len(file)))
			for part := range slices.Chunk(file, len(file)/40+1) {
				w.Write(part)
				w.(http.Flusher).Flush()
				time.Sleep(s.slow / 40)
			}
		case s.encoded && path.Ext(name) == ".gz":
			w.Header().Set("Content-Encoding", "gzip")
			static.ServeHTTP(w, r)
		default:
			name = cmp.Or(name, "index.html")
			kind, data, changed := "", []byte(nil), false
			if dressed := s.dress(files); s.instead != nil {
				file, ok := dressed[name]
				if !ok {
					file, _ = fs.ReadFile(files, name)
				}
				kind, data, changed = s.instead(name, file)
				w.Header().Set("Cache-Control", "max-age=3600") // the worst case: browsers may keep a faulty file
			}
			if !changed {
				w.Header().Set("Cache-Control", "no-store")
				kind = kindOf(name)
				data, changed = s.dress(files)[name]
			}
			if !changed {
				w.Header().Set("Cache-Control", "no-cache")
				static.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.Write(data)
		}
	}))
	// Each site has its own address: otherwise this site's service worker would answer for a later site at the same port.
	n := sites.Add(1)
	if l, err := net.Listen("tcp", fmt.Sprintf("127.0.%d.%d:0", 1+n/250, 1+n%250)); err == nil { // as on Linux
		s.Listener.Close()
		s.Listener = l
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// sites counts the sites that a test run has started.
var sites atomic.Int32

// kindOf returns the MIME type of a file.
func kindOf(name string) string {
	return cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream")
}

// move serves the site at another address of this computer.
func (s *site) move(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.Config.Handler}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	s.URL = "http://" + l.Addr().String()
}

// dress returns the files that the server changes: it inserts the spy scripts and replaces the content hashes of the
// changed files.
func (s *site) dress(files fs.FS) map[string][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dressed[s.worker] != nil {
		return s.dressed[s.worker]
	}
	out := map[string][]byte{}
	var hashes []string // old and new
	for _, name := range []string{"worker.js", "stage.html", "frame.html", "index.html", "sw.js"} {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			continue // a test may serve other files than the built site
		}
		now := strings.NewReplacer(hashes...).Replace(string(data))
		switch {
		case name == "worker.js":
			now = workerSpy + s.worker + now
		case s.spied && strings.HasSuffix(name, ".html"):
			now = strings.Replace(now, "<script", `<script src="init.js"></script><script`, 1)
		}
		hashes = append(hashes, contentHash(data), contentHash([]byte(now)))
		out[name] = []byte(now)
	}
	if s.dressed == nil {
		s.dressed = map[string]map[string][]byte{}
	}
	s.dressed[s.worker] = out
	return out
}

// contentHash returns the hash of a file in the format of integrity attributes.
func contentHash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
