// The picture: an iframe with the Ebiten program. Frames go in, acks come out;
// whatever happens to it, the numbers go on.

/** Seconds from a loaded stage.html to its first word before we call it failed. */
const PATIENCE = 60;

/** @typedef {number | 'brain'} Sender */

export class Picture {
  /**
   * @param {HTMLIFrameElement} iframe
   * @param {HTMLElement} veil holds a b, a p and a button
   * @param {(id: Sender) => void} ack tells a sender that its frame was taken
   */
  constructor(iframe, veil, ack) {
    this.iframe = iframe;
    this.veil = veil;
    this.ack = ack;
    /** @type {'none' | 'loading' | 'ready' | 'failed'} */
    this.state = 'none';
    this.sceneName = '';
    /** @type {Map<Sender, ArrayBuffer>} The newest frame of each sender, shown again after a reload. */
    this.newest = new Map();
    /** @type {(Sender | null)[]} Whom the stage's next acks are for, oldest first; null: nobody. */
    this.owed = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.dark = matchMedia('(prefers-color-scheme: dark)');
    this.dark.addEventListener('change', () => this.theme());
    const again = veil.querySelector('button');
    if (again) again.onclick = () => this.start();
    iframe.addEventListener('load', () => this.loaded());
    addEventListener('message', (e) => {
      if (e.source && e.source === iframe.contentWindow) this.heard(e.data);
    });
  }

  /** Loads the stage; called once there are numbers, and by "Try again". */
  start() {
    this.state = 'loading';
    this.iframe.src = 'stage.html';
    this.say('Loading the picture', 'The numbers already run.', false);
  }

  /** A new document is in the iframe: the first one, or one that reloaded itself. */
  loaded() {
    if (this.state === 'none' || !this.iframe.getAttribute('src')) return;
    this.state = 'loading';
    this.settle();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.state === 'loading') this.fail('The picture did not start. The numbers are complete without it.');
    }, PATIENCE * 1000);
  }

  /** @param {{t?: string, text?: string}} m a message from the stage */
  heard(m) {
    if (m.t === 'ready') {
      this.state = 'ready';
      this.veil.hidden = true;
      this.theme();
      this.post({ t: 'scene', name: this.sceneName });
      for (const data of this.newest.values()) this.show(null, data);
    } else if (m.t === 'ack') {
      const id = this.owed.shift();
      if (id != null) this.ack(id);
    } else if (m.t === 'error') {
      this.fail(m.text || 'The picture stopped. The numbers go on without it.');
    }
  }

  /** Takes a frame; without a working stage it is acked at once and only kept. @param {Sender} id @param {ArrayBuffer} data */
  frame(id, data) {
    this.newest.set(id, data);
    if (this.state === 'ready') this.show(id, data);
    else this.ack(id);
  }

  /** @param {Sender | null} id @param {ArrayBuffer} data */
  show(id, data) {
    this.owed.push(id);
    this.post({ t: 'frame', data });
  }

  /** Forgets a worker that is no more. @param {Sender} id */
  forget(id) {
    this.newest.delete(id);
    this.owed = this.owed.map((x) => (x === id ? null : x));
  }

  /** Clears the picture before another run. */
  reset() {
    this.newest.clear();
    if (this.state === 'ready') this.post({ t: 'reset' });
  }

  /** @param {string} name */
  scene(name) {
    if (name === this.sceneName) return;
    this.sceneName = name;
    if (this.state === 'ready') this.post({ t: 'scene', name });
  }

  theme() {
    if (this.state === 'ready') this.post({ t: 'theme', name: this.dark.matches ? 'dark' : 'light' });
  }

  /** @param {string} text */
  fail(text) {
    clearTimeout(this.timer);
    this.state = 'failed';
    this.settle();
    this.say('No picture on this machine', text, true);
  }

  /** Pays all acks that the stage will not send any more. */
  settle() {
    const owed = this.owed;
    this.owed = [];
    for (const id of owed) if (id != null) this.ack(id);
  }

  /** @param {string} title @param {string} text @param {boolean} again */
  say(title, text, again) {
    const [b, p, button] = this.veil.children;
    b.textContent = title;
    p.textContent = text;
    /** @type {HTMLElement} */ (button).hidden = !again;
    this.veil.hidden = false;
  }

  /** Copies go to the stage: the buffer stays here, to be shown again after a reload. @param {object} m */
  post(m) {
    this.iframe.contentWindow?.postMessage(m, '/');
  }
}
