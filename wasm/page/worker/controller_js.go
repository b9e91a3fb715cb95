package main

import (
	"syscall/js"
	"time"

	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/wasm/browser"
	"logzlab/wasm/page"
	"logzlab/wasm/page/state"
)

// host implements shared.Host with messages to site/main.js.
type host struct {
	todo       chan func() // functions to run in the controller's goroutine
	start      time.Time
	words      map[string][]byte         // loaded translations by language
	asked      map[string][]func([]byte) // callbacks waiting for translations, by language
	lanes      map[int]lanePort
	run        int // number of the last Reset
	controller *page.Controller
	*breath
}

// lanePort is the controller's end of the channel to a lane.
type lanePort struct {
	browser.Port
	close func()
}

// breathEvery is how often the controller lets events in during one long operation.
const breathEvery = 50 * time.Millisecond

func serveController() {
	role := js.Global().Get("logz")
	p := &host{todo: make(chan func(), 1024), start: time.Now(), words: map[string][]byte{},
		asked: map[string][]func([]byte){}, lanes: map[int]lanePort{}, run: role.Get("page").Get("run").Int(),
		breath: newBreath()}
	c := page.NewController(p, role.Get("workers").Int())
	p.controller = c

	// The description of the page.
	start := role.Get("page")
	about := state.BrowserPage{Link: start.Get("hash").String(), Base: start.Get("base").String(),
		Query: start.Get("query").String(), Language: start.Get("language").String(),
		Dark: start.Get("dark").Truthy(), ReducedMotion: start.Get("still").Truthy(), SingleFile: start.Get("alone").Truthy(),
		Rooms: start.Get("rooms").Truthy(), StoredRoom: browser.Text(start.Get("kept")),
		TabID: browser.Text(start.Get("machine"))}
	if data := start.Get("words"); data.Type() == js.TypeObject {
		p.words[start.Get("speaks").String()] = browser.Bytes(data)
	}

	// A queue of messages, and a clock.
	browser.Listen(p.message)
	ticks := make(chan struct{}, 1)
	go func() {
		for {
			time.Sleep(50 * time.Millisecond)
			nudge(ticks)
		}
	}()

	// Other long operations let events in too, so that pings are answered.
	meter.Watch(&meter.Meter{Yield: func(float64) error { p.after(breathEvery); return nil }})
	c.Start(about)
	c.Tick()

	// Messages first, then ticks, then work.
	always := make(chan struct{})
	close(always)
	for {
		var work chan struct{}
		if c.Working() {
			work = always
		}
		select {
		case f := <-p.todo: // first, since an idle lane may be waiting
			f()
			continue
		default:
		}
		select {
		case f := <-p.todo:
			f()
		case <-ticks:
			c.Tick()
		case <-work:
			c.Work()
			p.take() // events, such as a pause or a ready lane
		}
	}
}

func (p *host) message(m js.Value) {
	c := p.controller
	text := func(key string) string { return browser.Text(m.Get(key)) }
	number := func(key string) int { return int(browser.Number(m.Get(key))) }

	// A ping is answered at once. All other messages wait in the queue.
	var do func()
	switch text("t") {
	case "ping":
		browser.Post(map[string]any{"t": "pong"})
		return

	// User actions.
	case "event":
		e := state.Event{Name: text("name"), Value: text("value"), Key: text("key"), On: m.Get("on").Truthy(),
			Hidden: m.Get("hidden").Truthy(), Enter: m.Get("enter").Truthy(), N: number("n")}
		do = func() { c.Event(e); c.Tick() }
	case "file":
		name, data, n := text("name"), browser.Bytes(m.Get("data")), number("n")
		do = func() { c.File(name, data, n); c.Tick() }
	case "card":
		data := browser.Bytes(m.Get("data"))
		do = func() { c.Card(data) }
	case "answer":
		role, data := text("role"), browser.Bytes(m.Get("data"))
		do = func() { c.Answer(role, data); c.Tick() }
	case "heads":
		var names []string
		var heads [][]byte
		list := m.Get("list")
		for i := range list.Length() {
			names = append(names, list.Index(i).Get("name").String())
			heads = append(heads, browser.Bytes(list.Index(i).Get("head")))
		}
		n := number("n")
		do = func() { c.Heads(names, heads, n); c.Tick() }
	case "look":
		frames := m.Get("frames")
		var data [][]byte
		for i := range frames.Length() {
			data = append(data, browser.Bytes(frames.Index(i)))
		}
		do = func() { c.ReceiveFrames(data); c.Tick() }
	case "words":
		lang, data := text("lang"), []byte(nil)
		if came := m.Get("data"); came.Type() == js.TypeObject {
			data = browser.Bytes(came)
		}
		do = func() { p.speak(lang, data); c.Tick() }

	// Lanes come and go.
	case "ready":
		id, took := number("id"), m.Get("took").Float()
		do = func() { c.Ready(id, took) }
	case "gone":
		id, why := number("id"), text("why")
		do = func() { c.Gone(id, why) }
	default:
		return
	}
	p.todo <- do
}

func (p *host) View(b []byte) { browser.Post(map[string]any{"t": "view", "json": string(b)}) }
func (p *host) Frame(b []byte) {
	browser.Post(map[string]any{"t": "frame", "part": "curves", "run": p.run, "data": b})
}
func (p *host) Field(b []byte) {
	browser.Post(map[string]any{"t": "frame", "part": "field", "run": p.run, "data": b})
}
func (p *host) HeroFrame(b []byte) { browser.Post(map[string]any{"t": "dreams", "data": b}) }
func (p *host) Copy(text string)   { browser.Post(map[string]any{"t": "copy", "text": text}) }
func (p *host) RequestFrames()     { browser.Post(map[string]any{"t": "look"}) }
func (p *host) Now() float64       { return time.Since(p.start).Seconds() }

// Reset clears the picture. The next run has a new number, which lanes add to their frames.
func (p *host) Reset(stays bool) {
	p.run++
	browser.Post(map[string]any{"t": "reset", "on": stays, "run": p.run})
}

// Spawn starts a lane and passes it one end of a new channel. Messages wait until the lane listens.
func (p *host) Spawn(id int) {
	ours, theirs := browser.NewChannel()
	p.lanes[id] = lanePort{ours, ours.Listen(func(m js.Value) {
		data := browser.Bytes(m.Get("data"))
		p.todo <- func() { p.controller.ReceiveMessage(id, data); p.controller.Tick() }
	})}
	browser.Post(map[string]any{"t": "spawn", "id": id, "port": theirs})
}

// Kill ends a lane. Its pending messages are dropped.
func (p *host) Kill(id int) {
	if l, ok := p.lanes[id]; ok {
		l.close()
		delete(p.lanes, id)
	}
	browser.Post(map[string]any{"t": "kill", "id": id})
}

// Post sends a message to a lane, with the number of the run.
func (p *host) Post(id int, parts ...[]byte) {
	if l, ok := p.lanes[id]; ok {
		l.Post(map[string]any{"run": p.run, "data": parts})
	}
}

// SendRequest sends a request to the worker of a role, or ends it.
func (p *host) SendRequest(role string, on bool, order []byte) {
	browser.Post(map[string]any{"t": "order", "role": role, "on": on, "data": order})
}

// AnswerHeads answers question n: which of the chosen files are samples, and which form one file together.
func (p *host) AnswerHeads(n int, samples, together []int) {
	list := func(all []int) []any {
		out := make([]any, len(all))
		for i, at := range all {
			out[i] = at
		}
		return out
	}
	browser.Post(map[string]any{"t": "sort", "n": n, "list": list(samples), "parts": list(together)})
}

// SavePicture saves the picture between two drawings.
func (p *host) SavePicture(name, head, foot string) {
	browser.Post(map[string]any{"t": "picture", "show": "picture", "name": name, "head": head, "foot": foot})
}

// SaveFilm saves six seconds of the picture, as an animation or a video.
func (p *host) SaveFilm(name, show string) {
	browser.Post(map[string]any{"t": "picture", "show": show, "name": name})
}

// Download saves a text, or bytes, as a file.
func (p *host) Download(name, kind, text string) {
	browser.Post(map[string]any{"t": "download", "name": name, "kind": kind, "text": []byte(text)})
}

// A training is stored in the browser's Cache storage, under an address of the site. Browsers offer this storage only
// on https and localhost. The cache is created when the first training is stored.
const shelf, slot = "kept by logz lab", "training"

// await calls then or fails when a promise is settled.
func await(promise js.Value, then func(js.Value), fails func()) {
	var kept, broken js.Func
	release := func() { kept.Release(); broken.Release() }
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any { release(); then(args[0]); return nil })
	broken = js.FuncOf(func(js.Value, []js.Value) any { release(); fails(); return nil })
	promise.Call("then", kept, broken)
}

// slotURL returns the address of the slot.
func slotURL() string { return js.Global().Get("logz").Get("page").Get("site").String() + slot }

// StoreTraining stores a training in this browser; nil deletes it. A training that does not fit is not stored.
func (p *host) StoreTraining(data []byte) {
	caches, none := js.Global().Get("caches"), func() {}
	if caches.IsUndefined() {
		return
	}
	if data == nil {
		await(caches.Call("delete", shelf), func(js.Value) {}, none)
		return
	}
	await(caches.Call("open", shelf), func(cache js.Value) {
		response := js.Global().Get("Response").New(browser.Array(data))
		await(cache.Call("put", slotURL(), response), func(js.Value) {}, none)
	}, none)
}

// LoadTraining loads the stored training.
func (p *host) LoadTraining(done func(data []byte)) {
	none := func() { p.todo <- func() { done(nil) } }
	caches := js.Global().Get("caches")
	if caches.IsUndefined() {
		none()
		return
	}
	await(caches.Call("match", slotURL(), map[string]any{"cacheName": shelf}), func(hit js.Value) {
		if hit.IsUndefined() {
			none()
			return
		}
		await(hit.Call("arrayBuffer"), func(buffer js.Value) {
			data := browser.Bytes(buffer)
			p.todo <- func() { done(data) }
		}, none)
	}, none)
}

// SavePage saves the page as a single file.
func (p *host) SavePage(name, about string, files map[string][]byte) {
	all := map[string]any{}
	for file, data := range files {
		all[file] = browser.Array(data)
	}
	browser.Post(map[string]any{"t": "alone", "name": name, "about": about, "files": all})
}

// PostParent sends a message to the embedding page.
func (p *host) PostParent(kind, data string) {
	browser.Post(map[string]any{"t": "parent", "kind": kind, "text": data})
}

// Words loads the translations of a language, which the page fetches and verifies.
func (p *host) Words(lang string, done func([]byte)) {
	if data := p.words[lang]; data != nil {
		done(data)
		return
	}
	p.asked[lang] = append(p.asked[lang], done)
	browser.Post(map[string]any{"t": "words", "lang": lang})
}

// speak passes the translations of a language, nil if unavailable, to the waiting callbacks.
func (p *host) speak(lang string, data []byte) {
	waiting := p.asked[lang]
	delete(p.asked, lang)
	if data != nil {
		p.words[lang] = data
	}
	for _, done := range waiting {
		done(data)
	}
}

// Random returns a random seed from the browser.
func (p *host) Random() uint32 {
	a := js.Global().Get("Uint32Array").New(1)
	js.Global().Get("crypto").Call("getRandomValues", a)
	return uint32(a.Index(0).Float())
}

// Fetch loads a bundled file of the site; fresh bypasses all caches.
func (p *host) Fetch(file string, fresh bool, done func([]byte, error)) {
	fail := func(why error) { p.todo <- func() { done(nil, why) } }
	var taken, answered, failed js.Func
	release := func() { taken.Release(); answered.Release(); failed.Release() }

	// The controller gets the bytes, or the reason of a failure.
	taken = js.FuncOf(func(_ js.Value, args []js.Value) any {
		b := browser.Bytes(args[0])
		p.todo <- func() { release(); done(b, nil) }
		return nil
	})
	answered = js.FuncOf(func(_ js.Value, args []js.Value) any {
		r := args[0]
		kind := r.Get("headers").Call("get", "content-type")
		switch {
		case !r.Get("ok").Bool():
			fail(problem.New("the server answered %d", r.Get("status").Int()))
		case kind.Type() == js.TypeString && len(kind.String()) >= 9 && kind.String()[:9] == "text/html":
			fail(problem.New("the server sent a web page instead"))
		default:
			r.Call("arrayBuffer").Call("then", taken, failed)
		}
		return nil
	})
	failed = js.FuncOf(func(js.Value, []js.Value) any { // messages of browsers do not help people
		fail(problem.New("the server cannot be reached; check the connection to the network"))
		return nil
	})

	// Some files were requested while the program was loading.
	role := js.Global().Get("logz")
	url := role.Get("page").Get("site").String() + file // a worker made from a blob has no base address
	cache, ahead := "default", role.Get("ahead")
	if fresh {
		cache = "reload"
	}
	answer := ahead.Get(url)
	ahead.Delete(url) // it can be read once
	if fresh || answer.IsUndefined() {
		answer = js.Global().Call("fetch", url, map[string]any{"cache": cache})
	}
	answer.Call("then", answered, failed)
}
