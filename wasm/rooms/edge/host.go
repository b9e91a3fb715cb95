package edge

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// isFile reports whether name is a valid name of a model file.
func isFile(name string) bool { return name == "own" || name == "rows" }

// noFile returns the error for a file that the room does not have.
func noFile(name string) error {
	return refusalOf(404, problem.New("the room has no file %s", shortened(name)))
}

// getFile sends a part of a model file.
func getFile(c *call) error {
	name := c.URL.Query().Get("name")
	part, err := c.number("part", room.MaxParts-1)
	if err != nil {
		return err
	}
	var data string
	ok, err := c.queryRow([]any{&data}, "SELECT data FROM file WHERE room = ? AND name = ? AND part = ?", c.room.code, name, part)
	if err != nil {
		return err
	}
	if !ok {
		return noFile(name)
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err
	}
	write(c.w, 200, "application/octet-stream", b)
	return nil
}

// putFile stores a part of a file. A part with the same number is replaced.
func putFile(c *call) error {
	name := c.URL.Query().Get("name")
	part, err := c.number("part", room.MaxParts-1)
	if err != nil {
		return err
	}
	partCount, err := c.number("of", room.MaxParts)
	if err != nil {
		return err
	}
	switch {
	case c.room.closed:
		return roomClosed()
	case !isFile(name):
		return noFile(name)
	case part >= partCount || len(c.body) > room.PartSize || part < partCount-1 && len(c.body) != room.PartSize:
		return refusalOf(400, problem.New("part %d of %d has a wrong length", part, partCount))
	}

	// One statement checks that there is space and uses it.
	text, limits := base64.StdEncoding.EncodeToString(c.body), c.server.Most
	n, err := c.exec(`INSERT INTO file SELECT ?, ?, ?, ?, ? FROM room r, total t LEFT JOIN file f ON f.room = r.code AND
		f.name = ? AND f.part = ? WHERE r.code = ? AND t.name = 'rooms' AND r.bytes - coalesce(f.size, 0) <= ? AND t.n -
		coalesce(f.size, 0) <= ? ON CONFLICT DO UPDATE SET size = excluded.size, data = excluded.data`, c.room.code, name,
		part, len(text), text, name, part, c.room.code, limits.Room-len(text), limits.All-len(text))
	if err != nil {
		return err
	}
	if n == 0 {
		return c.spaceError(limits.Room - len(text))
	}
	return c.done()
}

// spaceError returns the error that there is no space: in the room if it has more than limit bytes, otherwise in all
// rooms of the server together.
func (c *call) spaceError(limit int) error {
	bytes := 0
	if _, err := c.queryRow([]any{&bytes}, "SELECT bytes FROM room WHERE code = ?", c.room.code); err != nil {
		return err
	}
	if bytes > limit {
		return retryLater(5*time.Second, problem.New("the room is full: it may hold %d MB", c.server.Most.Room>>20))
	}
	return retryLater(time.Minute, problem.New("all rooms of this server together are full: try again later"))
}

// startRun starts a run. It replaces the previous run and deletes its results.
func startRun(c *call) error {
	var run room.Run
	parts := map[string]int{} // number of parts of each file, by name
	valid := json.Unmarshal(c.body, &run) == nil && strings.HasPrefix(run.Link, "v=1&") && len(run.Link) <= room.MaxLink &&
		run.Build != "" && len(run.Build) <= 64 && run.Replicates >= 1 && run.Replicates <= room.MaxReplicates
	for _, f := range run.Files {
		valid = valid && isFile(f.Name) && parts[f.Name] == 0 && f.Parts >= 1 && f.Parts <= room.MaxParts
		parts[f.Name] = f.Parts
	}
	if !valid {
		return refusalOf(400, problem.New("a run needs the link of an experiment, the build of the program, and from 1 to %d "+
			"replicates", room.MaxReplicates))
	}
	if c.room.closed {
		return roomClosed()
	}
	for name, partCount := range parts {
		n := 0
		if _, err := c.queryRow([]any{&n}, "SELECT count(*) FROM file WHERE room = ? AND name = ? AND part < ?", c.room.code,
			name, partCount); err != nil {
			return err
		}
		if n < partCount {
			return refusalOf(409, problem.New("the file %s in the room lacks a part: put it there again", name))
		}
	}
	if err := c.deleteEnded(); err != nil {
		return err
	}

	// A new run number makes all tasks and results of the previous run invalid at once, since each has the number of
	// its run.
	files, _ := json.Marshal(run.Files)
	code := c.room.code
	if ok, err := c.queryRow([]any{&run.ID}, `UPDATE room SET run = run + 1, build = ?, link = ?, files = ?, replicates = ?,
		over = 0, done = 0, took = 0 WHERE code = ? AND closed = 0 RETURNING run`, run.Build, run.Link, string(files),
		run.Replicates, code); err != nil {
		return err
	} else if !ok {
		return roomClosed()
	}
	if _, err := c.exec("DELETE FROM task WHERE room = ? AND run < ?", code, run.ID); err != nil {
		return err
	}
	if err := c.deleteBodies("result", "room = ? AND run < ?", code, run.ID); err != nil {
		return err
	}
	if err := c.deleteBodies("file", "room = ? AND part >= iif(name = 'own', ?, ?)", code, parts["own"],
		parts["rows"]); err != nil {
		return err
	}
	run.Done, run.Over = 0, false
	return c.json(run)
}

// storedResult is a room.Result as the database stores it: its body is already in base64, as in JSON, and is sent
// unchanged.
type storedResult struct {
	Seq    int    `json:"seq"`
	Index  int    `json:"index"`
	Device string `json:"device"`
	Hash   string `json:"hash"`
	Body   string `json:"body,omitempty"`
}

// maxResults and maxBodies limit the number of results, and the bytes of their bodies, in a response.
const maxResults, maxBodies = 500, 1 << 20

// results sends the results of the run with sequence numbers larger than the parameter after, in order: at most
// maxResults with maxBodies bytes, but at least one if there is any.
func results(c *call) error {
	run, err := c.number("run", 1<<31)
	if err != nil {
		return err
	}
	after, err := c.number("after", 1<<53)
	if err != nil {
		return err
	}
	if run != c.room.run {
		return runOver()
	}
	rows, err := c.db.QueryContext(c.ctx(), `SELECT seq, idx, device, hash, body FROM result WHERE room = ? AND run = ? AND
		seq > ? AND seq <= (SELECT max(seq) FROM (SELECT seq, size, sum(size) OVER (ORDER BY seq) AS sum FROM (SELECT seq,
		size FROM result WHERE room = ? AND run = ? AND seq > ? ORDER BY seq LIMIT ?)) WHERE sum <= ? OR sum = size) ORDER
		BY seq`, c.room.code, run, after, c.room.code, run, after, maxResults, maxBodies)
	if err != nil {
		return err
	}
	defer rows.Close()
	stored := []storedResult{}
	for rows.Next() {
		var r storedResult
		if err := rows.Scan(&r.Seq, &r.Index, &r.Device, &r.Hash, &r.Body); err != nil {
			return err
		}
		stored = append(stored, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	wait := time.Duration(0)
	if len(stored) == 0 {
		wait = c.wait(c.room.resultDevices)
	}
	return c.json(struct {
		Wait    int64          `json:"wait"`
		Mean    int64          `json:"mean"`
		Results []storedResult `json:"results"`
	}{wait.Milliseconds(), c.room.replicateTime / max(int64(c.room.doneCount), 1), stored})
}

// finish ends the run of the query. A run that another one has replaced is already over.
func finish(c *call) error {
	run, err := c.number("run", 1<<31)
	if err != nil {
		return err
	}
	if _, err := c.exec("UPDATE room SET over = 1 WHERE code = ? AND run = ?", c.room.code, run); err != nil {
		return err
	}
	return c.done()
}

// devices sends the list of the devices of the room.
func devices(c *call) error {
	rows, err := c.db.QueryContext(c.ctx(), `SELECT id, joined/1000, seen/1000, given, out FROM device WHERE room = ?
		ORDER BY joined, id`, c.room.code)
	if err != nil {
		return err
	}
	defer rows.Close()
	list := []room.Device{}
	for rows.Next() {
		var d room.Device
		if err := rows.Scan(&d.ID, &d.Joined, &d.Seen, &d.Given, &d.Excluded); err != nil {
			return err
		}
		list = append(list, d)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.json(list)
}

// drop excludes a device and deletes its results of the current run. The trigger result_gone makes the replicates of
// these results available again. An excluded device can send no further results, so a repeated request deletes those
// that remain after an interrupted one.
func drop(c *call) error {
	device := c.URL.Query().Get("device")
	if !room.IsID(device) {
		return refusalOf(http.StatusBadRequest, problem.New("%s must be 32 hexadecimal digits", "device"))
	}
	if _, err := c.exec(`INSERT INTO device(room, id, joined, seen, out) VALUES(?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET
		out = 1, idx = 0`, c.room.code, device, c.now, c.now); err != nil {
		return err
	}
	if err := c.deleteBodies("result", "room = ? AND run = ? AND device = ?", c.room.code, c.room.run,
		device); err != nil {
		return err
	}
	return c.done()
}
