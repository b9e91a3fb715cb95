package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// roomsMark is an element in index.html that tells the page that its server offers rooms (shared sessions). A page
// without it sends no requests about rooms.
const roomsMark = `<meta id="rooms">`

// withRooms returns index.html of the built site in dir with roomsMark, and sw.js with the new hash of index.html.
func withRooms(dir string) (map[string][]byte, error) {
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		return nil, err
	}
	worker, err := os.ReadFile(filepath.Join(dir, "sw.js"))
	if err != nil {
		return nil, err
	}
	const before = `<meta name="viewport"`
	marked := bytes.Replace(index, []byte(before), []byte(roomsMark+"\n"+before), 1)
	old := []byte(integrity(index))
	if bytes.Equal(marked, index) || !bytes.Contains(worker, old) {
		return nil, fmt.Errorf("index.html or sw.js in %s is none of a built site; run ./build.sh build", dir)
	}
	return map[string][]byte{"index.html": marked,
		"sw.js": bytes.ReplaceAll(worker, old, []byte(integrity(marked)))}, nil
}

// cmdRooms adds the mark of rooms to the site in a folder: `rooms DIR`.
func cmdRooms(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: tool rooms DIR")
	}
	files, err := withRooms(args[0])
	if err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(args[0], name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
