// The picture: an iframe (the stage) that runs the Ebiten program. The stage receives frames and acknowledges each of
// them (ack). The numbers of the page do not wait for the picture. The iframe shares the thread of this page, so
// messages to the stage are function calls. The stage may answer while its Go program is running and must not be called
// again, so its answers are posted as messages; only acks, which go on to workers, are calls. The program stores the
// frames; while it is not loaded, this class stores them.
import { bring, inside, words } from './load.js';

/** Maximum seconds between loading stage.html and its message 'ready'; after them the stage counts as failed. */
const MAX_START = 60;

export class Picture {
  /** @param {HTMLIFrameElement} iframe @param {Viewer} page */
  constructor(iframe, page) {
    this.iframe = iframe;
    this.page = page;
    this.postedCount = 0; // number of messages sent to the stage
    this.paintedCount = 0; // number of messages whose effect is painted, -1 while the picture moves
    this.run = 0; // number of the run shown; late frames of earlier runs are dropped
    /** @type {StageWindow | null} The window of the stage once it is ready. */
    this.stage = null;
    /** @type {'none' | 'loading' | 'ready' | 'failed'} */ this.state = 'none';
    /** @type {Map<string, string>} The last settings sent (scene, theme, words ...), as JSON by message type. */
    this.sentSettings = new Map();
    /** The newest frame of each part of the picture, oldest first, to be shown when a stage becomes ready. Frames of a
     * recorded lane are separate parts.
     * @type {Map<string, Sent>} */
    this.frames = new Map();
    /** @type {(() => void)[]} Callbacks for the next acks of the stage, oldest first. */
    this.pendingAcks = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */ this.timer = undefined;
    iframe.addEventListener('load', () => this.stageLoaded());
    addEventListener('message', (e) => this.isFromStage(e) && this.handleMessage(e.data));
  }

  /** Reports whether a message comes from the stage. An embedding page could have replaced the document of the iframe.
   * @param {MessageEvent} e */
  isFromStage(e) {
    return e.origin === self.origin && e.source !== null && e.source === this.iframe.contentWindow;
  }

  /** Loads the stage: after the first number, or when the user presses "Try again". */
  loadStage() {
    this.state = 'loading';
    this.page.tell('loading', '');
    // An iframe cannot verify the hash of its document, so it is fetched first, which also repairs the browser's cache.
    const contained = inside('stage.html'); // of a page saved as one file; it includes stage.js
    const fetched = Promise.all([bring('stage.html'), contained ?? bring('stage.js')]);
    fetched.then(async () => {
      if (contained) this.iframe.srcdoc = await contained.text();
      else this.iframe.src = 'stage.html';
    }).catch((e) => this.fail(e.message));
  }

  /** Handles the load event of the iframe; a stage that reloads itself sends it again. */
  stageLoaded() {
    if (this.state === 'none' || !this.iframe.matches('[src], [srcdoc]')) return;
    this.state = 'loading';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.state === 'loading' && this.fail(words('slowpicture')), MAX_START * 1000);
  }

  /** Handles a message of the stage. @param {{t: string, n?: number, text?: string, data?: ArrayBuffer}} m */
  handleMessage(m) {
    if (m.t === 'ready') {
      clearTimeout(this.timer);
      this.state = 'ready';
      this.stage = /** @type {StageWindow} */ (/** @type {unknown} */ (this.iframe.contentWindow));
      this.stage.acked = () => this.pendingAcks.shift()?.();
      this.stage.addEventListener('pagehide', (e) => { // the stage reloads, unless the whole page goes into the back-forward cache
        if (e.persisted) return;
        this.state = 'loading';
        this.takeFramesBack();
      });
      this.page.tell('ready', '');
      for (const json of this.sentSettings.values()) this.post(JSON.parse(json));
      for (const frame of this.frames.values()) this.show(frame);
      this.frames.clear();
    } else if (m.t === 'error') this.fail(m.text || '');
    else if (m.t === 'loading' && this.state === 'loading') this.page.tell('loading', m.text || '');
    else if (m.t === 'drawn') this.page.drawn(m.text || '');
    else if (m.t === 'hover' || m.t === 'said') this.page.read(m.text || '', m.t === 'said');
    else if (/^(picture|svg|film|video|card)$/.test(m.t)) this.page.keep(m.data, m.t);
    else if (m.t === 'rest') this.setRest(m.n ?? 0);
  }

  /** Records that the picture is still since message n, or moves (n = -1). @param {number} n */
  setRest(n) {
    this.paintedCount = n;
    this.page.moved();
  }

  /** Reports whether all messages are painted and nothing moves, or the picture has failed. */
  still() {
    return this.state === 'failed' || this.state === 'ready' && this.paintedCount === this.postedCount;
  }

  /** Shows a frame, or stores and acknowledges it at once if no stage is ready. Frames of earlier runs are dropped. A frame
   * of the next run may arrive before the controller's message that the run begins. @param {Sent} frame @param {() => void} [ack] */
  frame(frame, ack = () => {}) {
    if (frame.run < this.run) return;
    if (frame.run > this.run) this.reset(frame.run);
    if (this.stage) return this.show(frame, ack);
    this.frames.delete(frame.part);
    this.frames.set(frame.part, frame);
    ack();
  }

  /** Returns the newest frame of each part, in order of arrival. @returns {Sent[]} */
  newestFrames() {
    if (!this.stage) return [...this.frames.values()];
    try {
      return this.stage.onLab?.({ t: 'look' }) ?? [];
    } catch {
      return []; // the program has ended, and its frames are lost
    }
  }

  /** @param {Sent} frame */
  show({ part, data }, ack = () => {}) {
    this.pendingAcks.push(ack);
    this.post({ t: 'frame', part, data });
  }

  /** Takes the frames back from a stage that reloads or has failed, and sends the acks that it still had to send. */
  takeFramesBack() {
    this.frames = new Map(this.newestFrames().map((frame) => [frame.part, { ...frame, run: this.run }]));
    this.stage = null;
    for (const ack of this.pendingAcks.splice(0)) ack();
    this.page.moved();
  }

  /** Prepares the picture for another run.
   * @param {number} run its number @param {boolean} [keepsOld] whether the old picture stays until the run has one */
  reset(run, keepsOld) {
    if (run <= this.run) return; // a frame of that run arrived first
    this.run = run;
    this.frames.clear();
    if (this.stage) this.post({ t: 'reset', on: keepsOld });
  }

  /** Sends the settings that changed: scene, theme, words and others. @param {any[]} messages */
  sendSettings(messages) {
    const zoom = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    for (const m of messages) {
      const json = JSON.stringify(m.t === 'theme' ? { ...m, zoom } : m);
      if (this.sentSettings.get(m.t) === json) continue;
      this.sentSettings.set(m.t, json);
      if (this.stage) this.post(JSON.parse(json));
    }
  }

  /** Offers a key to the scene and reports whether the scene used it. @param {string} key */
  key(key) {
    const wasUsed = !!this.stage?.onLab?.({ t: 'key', key });
    if (wasUsed) this.setRest(-1); // until the effect is painted
    return wasUsed;
  }

  /** @param {string} text */
  fail(text) {
    clearTimeout(this.timer);
    this.state = 'failed';
    this.takeFramesBack();
    this.page.tell('failed', text);
  }

  /** Requests an image (picture, svg, film, video or card) from the stage. Without a stage the answer has no data. @param {string} kind */
  requestImage(kind) {
    if (this.stage) this.post({ t: kind });
    else this.page.keep(undefined, kind);
  }

  /** @param {StageMessage} m */
  post(m) {
    this.stage?.deliver?.({ ...m, n: ++this.postedCount });
    this.page.moved();
  }
}
