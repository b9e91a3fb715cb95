// The picture: an iframe (the stage) with the Ebiten program. Frames go in, acknowledgements (acks) come out. Numbers do
// not wait for the picture. The iframe shares the thread of this page, so messages to it are function calls. Its answers
// may be sent while Go is running, when Go must not be called again, so they are posted as messages; only acks, which go
// to workers, are calls. Frames are stored by the program, or here while it is not loaded.
import { bring, inside, words } from './load.js';

/** Seconds from loading stage.html to its first message after which the stage has failed. */
const PATIENCE = 60;

export class Picture {
  /** @param {HTMLIFrameElement} iframe @param {Viewer} page */
  constructor(iframe, page) {
    this.iframe = iframe;
    this.page = page;
    this.posted = 0; // number of messages to the stage, and of those that are painted (-1: it is moving)
    this.painted = 0;
    this.run = 0; // number of the run shown; late frames of earlier runs are dropped
    /** @type {StageWindow | null} The window of the stage once it is ready. */
    this.stage = null;
    /** @type {'none' | 'loading' | 'ready' | 'failed'} */ this.state = 'none';
    /** @type {Map<string, string>} The last settings sent (scene, theme, words ...), as JSON by message type. */
    this.worn = new Map();
    /** The newest frame of each part of the picture, oldest first, to be shown when a stage becomes ready. The frames of
     * a recorded lane are parts of their own.
     * @type {Map<string, Sent>} */
    this.frames = new Map();
    /** @type {(() => void)[]} Callbacks for the next acks of the stage, oldest first. */
    this.owed = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    iframe.addEventListener('load', () => this.loaded());
    addEventListener('message', (e) => this.sent(e) && this.heard(e.data));
  }

  /** Reports whether a message comes from the stage; an embedding page could have replaced the document of the iframe.
   * @param {MessageEvent} e */
  sent(e) {
    return e.origin === self.origin && e.source !== null && e.source === this.iframe.contentWindow;
  }

  /** Loads the stage: after the first number, or when the user presses "Try again". */
  start() {
    this.state = 'loading';
    this.page.tell('loading', '');
    // An iframe cannot verify the hash of its document, so it is fetched first, which also repairs the browser's cache.
    const own = inside('stage.html'); // in a page saved as one file, with its script
    const come = Promise.all([bring('stage.html'), own ?? bring('stage.js')]);
    come.then(async () => {
      if (own) this.iframe.srcdoc = await own.text();
      else this.iframe.src = 'stage.html';
    }).catch((e) => this.fail(e.message));
  }

  /** Called when the iframe has loaded a document, at first or again. */
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
      this.stage.addEventListener('pagehide', (e) => { // the stage reloads, unless the whole page goes into the back-forward cache
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

  /** @param {number} n number of the message since which the picture is still, -1 while it moves */
  rests(n) {
    this.painted = n;
    this.page.moved();
  }

  /** Reports whether all messages are painted and nothing moves, or the picture has failed. */
  still() {
    return this.state === 'failed' || this.state === 'ready' && this.painted === this.posted;
  }

  /** Takes a frame. Without a working stage it is stored and acknowledged at once. A frame of the next run may arrive
   * before the controller's message that the run begins. @param {Sent} frame @param {() => void} [ack] */
  frame(frame, ack = () => {}) {
    if (frame.run < this.run) return;
    if (frame.run > this.run) this.reset(frame.run);
    if (this.stage) return this.show(frame, ack);
    this.frames.delete(frame.part);
    this.frames.set(frame.part, frame);
    ack();
  }

  /** Returns the newest frame of each part, in order of arrival. @returns {Sent[]} */
  newest() {
    if (!this.stage) return [...this.frames.values()];
    try {
      return this.stage.onLab?.({ t: 'look' }) ?? [];
    } catch {
      return []; // the program has ended, and its frames are lost
    }
  }

  /** @param {Sent} frame */
  show({ part, data }, ack = () => {}) {
    this.owed.push(ack);
    this.post({ t: 'frame', part, data });
  }

  /** Takes the frames back from a stage that ends or has failed, and sends its outstanding acks. */
  leave() {
    this.frames = new Map(this.newest().map((frame) => [frame.part, { ...frame, run: this.run }]));
    this.stage = null;
    for (const ack of this.owed.splice(0)) ack();
    this.page.moved();
  }

  /** Prepares the picture for another run.
   * @param {number} run its number @param {boolean} [stays] keep the old picture until the run has one */
  reset(run, stays) {
    if (run <= this.run) return; // a frame of that run arrived first
    this.run = run;
    this.frames.clear();
    if (this.stage) this.post({ t: 'reset', on: stays });
  }

  /** Sends the settings that changed: scene, theme, words and others. @param {any[]} messages */
  dress(messages) {
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    for (const m of messages) {
      const json = JSON.stringify(m.t === 'theme' ? { ...m, zoom } : m);
      if (this.worn.get(m.t) === json) continue;
      this.worn.set(m.t, json);
      if (this.stage) this.post(JSON.parse(json));
    }
  }

  /** Offers a key to the scene and reports whether the scene used it. @param {string} key */
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

  /** Requests an image, svg, film, video or card of the picture. @param {string} kind */
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
