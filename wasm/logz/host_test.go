//go:build !js

package main

import (
	"bytes"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/files/disk"
	"logzlab/internal/edgetest"
	"logzlab/internal/tier"
	"logzlab/wasm/rooms/room"
)

// logz host, with logz work, prints the result of logz run, also for a Stan program, whose tape is sent to all. No file
// is left behind.
func TestHost(t *testing.T) {
	tier.Test(t)
	checkHost(t, "-model", "mixture2")
	checkHost(t, "-model", filepath.Join(programs, "coin.stan"), "-data", filepath.Join(programs, "coin.json"), "-give")
}

func checkHost(t *testing.T, args ...string) {
	args = append(args, "-method", "ais,rts", "-replicates", "6", "-set", "chains=20", "-set", "temperatures=20", "-set",
		"sweeps=40")
	alone := slices.DeleteFunc(slices.Clone(args), func(s string) bool { return s == "-give" })
	_, want, _ := run(append([]string{"run"}, alone...)...)
	file := filepath.Join(t.TempDir(), "a.room")
	errs, w := io.Pipe()
	var out bytes.Buffer
	end := make(chan int, 1)
	go func() {
		end <- cli(append([]string{"host", "-addr", "127.0.0.1:0", "-file", file}, args...), &out, w)
		w.Close()
	}()
	said := make([]byte, 200)
	n, _ := errs.Read(said)
	link := regexp.MustCompile(`http://\S+#room=[A-Z0-9]+`).FindString(string(said[:n]))
	if link == "" {
		t.Fatalf("no link in %q", said[:n])
	}
	go io.Copy(io.Discard, errs)
	if status, _, why := run("work", link, "-workers", "2"); status != exitOK {
		t.Fatalf("work: status %d, %s", status, why)
	}
	if status := <-end; status != exitOK {
		t.Fatalf("host: status %d", status)
	}
	hashes := func(s string) []string { return regexp.MustCompile(`hash +\w+`).FindAllString(s, -1) }
	if a, b := hashes(out.String()), hashes(want); strings.Join(a, " ") != strings.Join(b, " ") || len(a) != 2 {
		t.Errorf("the room has %q, run %q", a, b)
	}
	if left, _ := filepath.Glob(file + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file is still there")
	}
}

// Errors in the arguments are reported before any work, and no file is left behind.
func TestRoomArguments(t *testing.T) {
	free, other := filepath.Join(t.TempDir(), "a.room"), filepath.Join(t.TempDir(), "b")
	part(t, 1, 2, other, oneMethod...)
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct{ args, want string }{
		{"work", "the link of the room is missing"},
		{"work http://127.0.0.1:1/", "is no link to a room"},
		{"work ftp://a/#room=ABCDEFGH", "is no link to a room"},
		{"host a b", "give one link"},
		{"host -model mixture2 -workers 0", "must be between 1 and 1000"},
		{"host -model mixture2 -method is", "give -replicates R"},
		{"host -model mixture2 -method is -target .1", "give -replicates R"},
		{"work -workers 0 http://127.0.0.1:1/#room=ABCDEFGH", "must be between 1 and 1000"},
		{"work http://127.0.0.1:1/#room=ABCDEFGH&seed=3", "is no link to a room"},
		{"host -model mixture2 -method is -replicates 4 -addr nonsense -file " + free, "give another address"},
		{"host -model mixture2 -method is -replicates 4 -addr http:///rooms -file " + free, "is not the address of a server"},
		{"host -model mixture2 -method is -replicates 4 -addr " + taken.Addr().String() + " -file " + free, "give another address"},
		{"host -model mixture2 -method is -replicates 4 -addr 127.0.0.1:0 -file " + other, "is not the file of a room"},
	} {
		status, _, err := run(strings.Fields(c.args)...)
		if status != exitUsage || !strings.Contains(err, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.want)
		}
	}
	if left, _ := filepath.Glob(free + "*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A second host with the same file is refused while the first one runs.
func TestFileInUse(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.room")
	own, err := disk.OpenLocked(file)
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	mustRefuse(t, "is in use by another logz", "host", "-file", file, "-model", "mixture2", "-method", "is", "-replicates", "4")
}

// The error about a damaged database of rooms names the file and what to do.
func TestDamagedRooms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.room")
	if err := os.WriteFile(file+".db", bytes.Repeat([]byte("no rooms "), 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	status, _, err := run("host", "-addr", "127.0.0.1:0", "-file", file, "-model", "mixture2", "-method", "is", "-replicates", "4")
	if status != exitFailed || !strings.Contains(err, "a.room.db") || !strings.Contains(err, "delete it") {
		t.Errorf("status %d, %q", status, err)
	}
}

// logz work reports that a room is closed. Its link may have view settings, and flags may precede it.
func TestWorkClosed(t *testing.T) {
	s, _ := edgetest.Native(t)
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	o, err := room.Open(t.Context(), room.HTTP{Base: web.URL + "/"})
	if err == nil {
		err = o.Close(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	status, _, said := run("work", "-workers", "1", room.Link(web.URL, o.Code)+"&view.lang=de&view.theme=dark")
	if status != exitOK || !strings.Contains(said, "the room is closed; 0 replicates were computed here") {
		t.Errorf("status %d, %q", status, said)
	}
}

// A server that does not answer is reported once. A command that is then interrupted reports this in a line.
func TestNoServer(t *testing.T) {
	tier.Test(t)
	file := filepath.Join(t.TempDir(), "a.room")
	for _, args := range [][]string{
		{"work", "http://127.0.0.1:1/#room=ABCDEFGH"},
		{"host", "-addr", "http://127.0.0.1:1/", "-file", file, "-model", "mixture2", "-method", "is", "-replicates", "4"},
	} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			status, out, err := runTerminated(t, "trying for 2 minutes\n", args...)
			if status != exitInterrupted || out != "" || err != "the room's server at http://127.0.0.1:1/ does not answer yet; "+
				"trying for 2 minutes\nlogz: stopped; the same command continues\n" {
				t.Errorf("%s: status %d, %q, %q", args[0], status, out, err)
			}
		})
	}
}
