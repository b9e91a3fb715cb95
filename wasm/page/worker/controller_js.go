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

// host is what the controller needs of the page: it speaks to site/main.js.
type host struct {
	todo       chan func() // everything the controller does, one after another
	start      time.Time
	words      map[string][]byte         // translations that came, by language
	asked      map[string][]func([]byte) // who waits for one
	lanes      map[int]lanePort
	run        int // number of the newest Reset
	controller *page.Controller
	*breath
}

// lanePort is the controller's end of the channel to a lane.
type lanePort struct {
	browser.Port
	close func()
}

// breathEvery is how often the controller lets events in while it does one thing.
const breathEvery = 50 * time.Millisecond

func serveController() {
	role := js.Global().Get("logz")
	p := &host{todo: make(chan func(), 1024), start: time.Now(), words: map[string][]byte{},
		asked: map[string][]func([]byte){}, lanes: map[int]lanePort{}, run: role.Get("page").Get("run").Int(),
		breath: newBreath()}
	c := page.NewController(p, role.Get("workers").Int())
	p.controller = c

	// What the page knows at the start.
	start := role.Get("page")
	about := state.Page{Link: start.Get("hash").String(), Base: start.Get("base").String(),
		Query: start.Get("query").String(), Language: start.Get("language").String(),
		Dark: start.Get("dark").Truthy(), Still: start.Get("still").Truthy(), Alone: start.Get("alone").Truthy(),
		Rooms: start.Get("rooms").Truthy(), Kept: browser.Text(start.Get("kept")),
		Machine: browser.Text(start.Get("machine"))}
	if data := start.Get("words"); data.Type() == js.TypeObject {
		p.words[start.Get("speaks").String()] = browser.Bytes(data)
	}

	// Messages wait in a queue, and a clock ticks.
	browser.Listen(p.message)
	ticks := make(chan struct{}, 1)
	go func() {
		for {
			time.Sleep(50 * time.Millisecond)
			nudge(ticks)
		}
	}()

	// What takes long beside the pieces of Work lets events in too, so that pings are answered.
	meter.Watch(&meter.Meter{Yield: func(float64) error { p.after(breathEvery); return nil }})
	c.Start(about)
	c.Tick()

	// Messages go first, then ticks, then work.
	always := make(chan struct{})
	close(always)
	for {
		var work chan struct{}
		if c.Working() {
			work = always
		}
		select {
		case f := <-p.todo: // before what can wait: it may be a lane that has nothing to do
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
			p.take() // events: a pause, or a lane that is ready
		}
	}
}

func (p *host) message(m js.Value) {
	c := p.controller
	text := func(key string) string { return browser.Text(m.Get(key)) }
	number := func(key string) int { return int(browser.Number(m.Get(key))) }

	// A ping is answered at once. All else waits in the queue.
	var do func()
	switch text("t") {
	case "ping":
		browser.Post(map[string]any{"t": "pong"})
		return

	// What the user does.
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
		do = func() { c.Looked(data); c.Tick() }
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
func (p *host) Dreams(b []byte)  { browser.Post(map[string]any{"t": "dreams", "data": b}) }
func (p *host) Copy(text string) { browser.Post(map[string]any{"t": "copy", "text": text}) }
func (p *host) Look()            { browser.Post(map[string]any{"t": "look"}) }
func (p *host) Now() float64     { return time.Since(p.start).Seconds() }

// Reset clears the picture. The next run has another number, which lanes put on their frames.
func (p *host) Reset(stays bool) {
	p.run++
	browser.Post(map[string]any{"t": "reset", "on": stays, "run": p.run})
}

// Spawn starts a lane and gives it the other end of a new channel. What is posted there waits until the lane listens.
func (p *host) Spawn(id int) {
	ours, theirs := browser.NewChannel()
	p.lanes[id] = lanePort{ours, ours.Listen(func(m js.Value) {
		data := browser.Bytes(m.Get("data"))
		p.todo <- func() { p.controller.From(id, data); p.controller.Tick() }
	})}
	browser.Post(map[string]any{"t": "spawn", "id": id, "port": theirs})
}

// Kill ends a lane. What it sent and has not been taken is dropped.
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

// Order gives an order to a program of its own, or ends it.
func (p *host) Order(role string, on bool, order []byte) {
	browser.Post(map[string]any{"t": "order", "role": role, "on": on, "data": order})
}

// Sort answers question n: which of the chosen files are samples, and which make one file together.
func (p *host) Sort(n int, samples, together []int) {
	list := func(all []int) []any {
		out := make([]any, len(all))
		for i, at := range all {
			out[i] = at
		}
		return out
	}
	browser.Post(map[string]any{"t": "sort", "n": n, "list": list(samples), "parts": list(together)})
}

// Picture lets the user keep the picture between two drawings.
func (p *host) Picture(name, head, foot string) {
	browser.Post(map[string]any{"t": "picture", "show": "picture", "name": name, "head": head, "foot": foot})
}

// Film lets the user keep six seconds of the picture, as a film or a video.
func (p *host) Film(name, show string) {
	browser.Post(map[string]any{"t": "picture", "show": show, "name": name})
}

// Download lets the user keep a text, or the bytes in it, as a file.
func (p *host) Download(name, kind, text string) {
	browser.Post(map[string]any{"t": "download", "name": name, "kind": kind, "text": []byte(text)})
}

// A training is kept in the browser's storage for responses (Cache), under an address of the site. Browsers offer that
// storage on https and on localhost only. The cache is made when the first training is kept, not before.
const shelf, slot = "kept by logz lab", "training"

// await calls one of two functions when a promise is kept or broken.
func await(promise js.Value, then func(js.Value), fails func()) {
	var kept, broken js.Func
	release := func() { kept.Release(); broken.Release() }
	kept = js.FuncOf(func(_ js.Value, args []js.Value) any { release(); then(args[0]); return nil })
	broken = js.FuncOf(func(js.Value, []js.Value) any { release(); fails(); return nil })
	promise.Call("then", kept, broken)
}

// slotURL is the slot as the storage wants it.
func slotURL() string { return js.Global().Get("logz").Get("page").Get("site").String() + slot }

// Save keeps a training in this browser; nil forgets it. What does not fit is not kept.
func (p *host) Save(data []byte) {
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

// Saved gives the training back that the browser keeps.
func (p *host) Saved(done func(data []byte)) {
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

// Alone lets the user keep the page as one file.
func (p *host) Alone(name, about string, files map[string][]byte) {
	all := map[string]any{}
	for file, data := range files {
		all[file] = browser.Array(data)
	}
	browser.Post(map[string]any{"t": "alone", "name": name, "about": about, "files": all})
}

// Parent tells the page that embeds this one.
func (p *host) Parent(kind, data string) {
	browser.Post(map[string]any{"t": "parent", "kind": kind, "text": data})
}

// Words brings the translations of a language: the page fetches and verifies it.
func (p *host) Words(lang string, done func([]byte)) {
	if data := p.words[lang]; data != nil {
		done(data)
		return
	}
	p.asked[lang] = append(p.asked[lang], done)
	browser.Post(map[string]any{"t": "words", "lang": lang})
}

// speak hands the translations of a language, nil if it cannot be had, to who waits for it.
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

// Random is a fresh seed from the browser.
func (p *host) Random() uint32 {
	a := js.Global().Get("Uint32Array").New(1)
	js.Global().Get("crypto").Call("getRandomValues", a)
	return uint32(a.Index(0).Float())
}

// Fetch loads a bundled file of the site; fresh asks the server and no cache.
func (p *host) Fetch(file string, fresh bool, done func([]byte, error)) {
	fail := func(why error) { p.todo <- func() { done(nil, why) } }
	var taken, answered, failed js.Func
	release := func() { taken.Release(); answered.Release(); failed.Release() }

	// The controller gets either the bytes or the reason why there are none.
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
	failed = js.FuncOf(func(js.Value, []js.Value) any { // what browsers say of it tells people nothing
		fail(problem.New("the server cannot be reached; check the connection to the network"))
		return nil
	})

	// Some files were asked for ahead, while the program was loading.
	role := js.Global().Get("logz")
	url := role.Get("page").Get("site").String() + file // a worker made of a blob has no place of its own
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
