// The picture: an iframe with the Ebiten program. Frames go in, acks come out. Numbers do not wait for the picture.
// The iframe has the thread of this page, so what goes in is a call, not a message. What comes out may come from inside
// Go, which must not be called then: a message, but for acks, which go to workers. Frames are kept in one place, by the
// program, or here while it is not there.
import { bring, inside, words } from './load.js';

/** Seconds from a loaded stage.html to its first word before we call it failed. */
const PATIENCE = 60;

export class Picture {
  /** @param {HTMLIFrameElement} iframe @param {Viewer} page */
  constructor(iframe, page) {
    this.iframe = iframe;
    this.page = page;
    this.posted = 0; // messages to the stage, and those of them after which it stands still
    this.painted = 0;
    this.run = 0; // number of the run on show, by which a late frame of a run before is known
    /** @type {StageWindow | null} The window of a stage that is ready. */
    this.stage = null;
    /** @type {'none' | 'loading' | 'ready' | 'failed'} */ this.state = 'none';
    /** @type {Map<string, string>} How the picture is dressed: its messages by kind, as JSON. */
    this.worn = new Map();
    /** The frames to show when a stage is ready, first or again, oldest first: the newest of each part of the picture.
     * Scenes that go back in time find the film of a lane there, whose pictures are parts of their own.
     * @type {Map<string, Sent>} */
    this.frames = new Map();
    /** @type {(() => void)[]} What to do at the stage's next acks, oldest first. */
    this.owed = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    iframe.addEventListener('load', () => this.loaded());
    addEventListener('message', (e) => this.sent(e) && this.heard(e.data));
  }

  /** Whether a message is the stage's: a page around this one may have put another document into the iframe.
   * @param {MessageEvent} e */
  sent(e) {
    return e.origin === self.origin && e.source !== null && e.source === this.iframe.contentWindow;
  }

  /** Loads the stage; called once there are numbers, and by "Try again". */
  start() {
    this.state = 'loading';
    this.page.tell('loading', '');
    // No tag of ours can verify a document, so it is fetched before, which also mends the browser's cache.
    const own = inside('stage.html'); // with its script
    const come = Promise.all([bring('stage.html'), own ?? bring('stage.js')]);
    come.then(async () => {
      if (own) this.iframe.srcdoc = await own.text();
      else this.iframe.src = 'stage.html';
    }).catch((e) => this.fail(e.message));
  }

  /** A new document is in the iframe: the first one, or one that reloaded itself. */
  loaded() {
    if (this.state === 'none' || !this.iframe.matches('[src], [srcdoc]')) return;
    this.state = 'loading';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.state === 'loading' && this.fail(words('slowpicture')), PATIENCE * 1000);
  }

  /** @param {{t: string, n?: number, text?: string, data?: ArrayBuffer}} m a message from the stage */
  heard(m) {
    if (m.t === 'ready') {
      clearTimeout(this.timer);
      this.state = 'ready';
      this.stage = /** @type {StageWindow} */ (/** @type {unknown} */ (this.iframe.contentWindow));
      this.stage.acked = () => this.owed.shift()?.();
      this.stage.addEventListener('pagehide', (e) => { // it loads anew, unless the whole page is put aside
        if (e.persisted) return;
        this.state = 'loading';
        this.leave();
      });
      this.page.tell('ready', '');
      for (const json of this.worn.values()) this.post(JSON.parse(json));
      for (const frame of this.frames.values()) this.show(frame);
      this.frames.clear();
    } else if (m.t === 'error') this.fail(m.text || '');
    else if (m.t === 'loading' && this.state === 'loading') this.page.tell('loading', m.text || '');
    else if (m.t === 'drawn') this.page.drawn(m.text || '');
    else if (m.t === 'hover' || m.t === 'said') this.page.read(m.text || '', m.t === 'said');
    else if (/^(picture|svg|film|video|card)$/.test(m.t)) this.page.keep(m.data, m.t);
    else if (m.t === 'rest') this.rests(m.n ?? 0);
  }

  /** @param {number} n the stage stands still since this message, -1: it moves */
  rests(n) {
    this.painted = n;
    this.page.moved();
  }

  /** Whether all that it was told is on the canvas and nothing moves there, or there is no picture to come. */
  still() {
    return this.state === 'failed' || this.state === 'ready' && this.painted === this.posted;
  }

  /** Takes a frame; without a working stage it is acked at once and kept. One of the next run may come before the
   * controller's word that this begins. @param {Sent} frame @param {() => void} [ack] */
  frame(frame, ack = () => {}) {
    if (frame.run < this.run) return;
    if (frame.run > this.run) this.reset(frame.run);
    if (this.stage) return this.show(frame, ack);
    this.frames.delete(frame.part);
    this.frames.set(frame.part, frame);
    ack();
  }

  /** The newest frame of each part, in the order in which they came. @returns {Sent[]} */
  newest() {
    if (!this.stage) return [...this.frames.values()];
    try {
      return this.stage.onLab?.({ t: 'look' }) ?? [];
    } catch {
      return []; // the program has ended, and its frames with it
    }
  }

  /** @param {Sent} frame */
  show({ part, data }, ack = () => {}) {
    this.owed.push(ack);
    this.post({ t: 'frame', part, data });
  }

  /** Takes the frames back from a stage that ends or does not work any more, and pays the acks that it owes. */
  leave() {
    this.frames = new Map(this.newest().map((frame) => [frame.part, { ...frame, run: this.run }]));
    this.stage = null;
    for (const ack of this.owed.splice(0)) ack();
    this.page.moved();
  }

  /** Clears the picture before another run, or lets it stay until that has one.
   * @param {number} run its number @param {boolean} [stays] */
  reset(run, stays) {
    if (run <= this.run) return; // its frames were faster
    this.run = run;
    this.frames.clear();
    if (this.stage) this.post({ t: 'reset', on: stays });
  }

  /** Sends the messages that changed: scene, theme, words and the like. @param {any[]} messages */
  dress(messages) {
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    for (const m of messages) {
      const json = JSON.stringify(m.t === 'theme' ? { ...m, zoom } : m);
      if (this.worn.get(m.t) === json) continue;
      this.worn.set(m.t, json);
      if (this.stage) this.post(JSON.parse(json));
    }
  }

  /** Offers a key to the scene; true if it took it. @param {string} key */
  key(key) {
    const taken = !!this.stage?.onLab?.({ t: 'key', key });
    if (taken) this.rests(-1); // until it is painted
    return taken;
  }

  /** @param {string} text */
  fail(text) {
    clearTimeout(this.timer);
    this.state = 'failed';
    this.leave();
    this.page.tell('failed', text);
  }

  /** Asks for a picture, svg, film, video or card. @param {string} kind */
  shoot(kind) {
    if (this.stage) this.post({ t: kind });
    else this.page.keep(undefined, kind);
  }

  /** @param {StageMessage} m */
  post(m) {
    this.stage?.deliver?.({ ...m, n: ++this.posted });
    this.page.moved();
  }
}
