// Lectures: the window with the presenter's notes, and swipes that turn the steps. The content of the window comes from
// the controller. The window is an empty document written by this page, so it needs no server.
import { made, morph } from './view.js';

/** The window with the presenter's notes. */
export class Notes {
  /** @param {(event: {[more: string]: unknown}) => void} send @param {(e: KeyboardEvent) => void} press */
  constructor(send, press) {
    this.send = send;
    this.press = press;
    /** @type {Window | null} */ this.win = null;
    this.html = '<main id="notes"></main>';
    addEventListener('pagehide', () => this.win?.close());
  }

  /** Opens the window, or brings it to the front. */
  open() {
    this.win = window.open('', 'logz-notes', 'popup,width=760,height=560');
    this.send(this.win ? { name: 'notes', on: true } : { name: 'notice', key: 'popup' });
    this.win?.focus();
    this.paint();
  }

  /** Shows the newest notes. @param {string} [html] */
  paint(html) {
    this.html = html ?? this.html;
    const page = this.win?.closed ? null : this.win?.document;
    if (!page) {
      if (this.win) this.send({ name: 'notes' });
      this.win = null;
      return;
    }
    if (!page.getElementById('notes')) this.writePage(page); // some browsers replace the first empty document
    const theme = document.documentElement.dataset.theme ?? '';
    page.documentElement.dataset.theme = theme === 'projector' ? 'light' : theme;
    morph(page.getElementById('notes'), made(this.html));
  }

  /** @param {Document} page */
  writePage(page) {
    page.title = document.title;
    page.documentElement.lang = document.documentElement.lang;
    for (const style of document.querySelectorAll('link[rel=stylesheet], style')) {
      page.head.append(page.importNode(style, true));
    }
    page.body.className = 'notes';
    page.body.append(page.importNode(made(this.html), true));
    page.addEventListener('keydown', this.press);
    page.addEventListener('click', (e) => {
      const { event, value } = /** @type {any} */ (e.target).closest?.('button')?.dataset ?? {};
      if (event) this.send({ name: event, value });
    });
  }
}

/** The shortest swipe, in pixels, and the longest, in milliseconds, that turns a step. */
const [MIN_DISTANCE, MAX_DURATION] = [60, 800];

/** Turns the steps of a lecture by horizontal swipes.
 * @param {Window} win the page, or the picture inside it @param {(to: string) => void} turn
 * @param {(e: PointerEvent) => boolean} [mayStart] reports whether a swipe may start there */
export function watchSwipes(win, turn, mayStart = () => true) {
  /** @type {PointerEvent | null} */ let start = null;
  win.addEventListener('pointerdown', (e) => {
    start = e.pointerType === 'touch' && e.isPrimary && mayStart(e) ? e : null;
  }, { capture: true });
  win.addEventListener('pointerup', (e) => {
    if (!start || e.pointerId !== start.pointerId) return;
    const [x, y] = [e.clientX - start.clientX, e.clientY - start.clientY];
    if (Math.abs(x) > MIN_DISTANCE && Math.abs(x) > 2 * Math.abs(y) && e.timeStamp - start.timeStamp < MAX_DURATION) {
      turn(x < 0 ? 'next' : 'back');
    }
    start = null;
  }, { capture: true });
}
