// The hero: a paper to draw on, and dreams of the machine around it, on plain canvases that are there before any
// program is. Until somebody draws, a hand does, and the dreams are those that one run left: hero.bin, which `tool
// hero` packs. From then on they come from the run of what was drawn. It decides nothing of that run: it sends drawings
// to the controller and paints the frames that come back.
import { arrange, fit } from './layout.js';
import { bring, words } from './load.js';
import { $ } from './view.js';

/** Pixels of a picture, and dreams: state.HeroDreams. */
const [SIDE, CELLS, DREAMS] = [28, 28 * 28, 24];
/** Bytes of a packed frame: the temperature, then a bit for each pixel. */
const FRAME = 4 + DREAMS * CELLS / 8;
/** Colours: paper, digits, the stroke. */
const [GROUND, LIGHT, STROKE] = [[13, 18, 26], [224, 234, 248], [255, 163, 26]];
/** How long things take, in seconds: the hand draws, dreams condense, their odds are read, dreams of a drawing. */
const [DRAWS, CONDENSES, READS, ANSWERS] = [1.5, 3.2, 2.6, 1.5];
/** What a pixel is: as a machine wishes, or fixed. */
const [PAPER, INK, FREE] = [0, 1, 2];

export class Hero {
  /** @param {(clamp: string) => void} drawn takes a drawing @param {() => void} moved hears of a change of still() */
  constructor(drawn, moved) {
    this.drawn = drawn;
    this.moved = moved;
    this.hero = $('hero') ?? document.createElement('main'); // a page that is one file has none
    this.on = document.documentElement.hasAttribute('data-hero');
    this.slider = /** @type {HTMLInputElement} */ (this.hero.querySelector('[type=range]'));
    this.paper = /** @type {HTMLCanvasElement} */ ($('paper'));
    this.canvas = /** @type {HTMLCanvasElement} */ ($('dreams'));
    this.pencil = /** @type {HTMLElement} */ ($('pencil'));
    this.atlas = Object.assign(document.createElement('canvas'), { width: SIDE * DREAMS, height: SIDE });
    this.small = /** @type {CanvasRenderingContext2D} */ (this.atlas.getContext('2d'));
    this.pixels = this.small.createImageData(SIDE * DREAMS, SIDE);
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    /** @type {Moment[]} */ this.film = [];
    this.at = 0; // of the film on show, 0 to 1
    this.pace = 0; // of it a second
    this.drawing = new Uint8Array(CELLS).fill(FREE); // on the paper
    this.sent = this.drawing.slice(); // of the run that is awaited
    this.shows = this.drawing.slice(); // of the film
    this.shown = new Float32Array(DREAMS * CELLS);
    this.tint = new Float32Array(2 * CELLS); // how much of a pixel is fixed, to paper and to ink
    /** @type {number[]} The stroke that the hand draws, in its order. */
    this.stroke = [];
    this.began = 0; // when the hand began
    this.brush = INK;
    this.key = 14 * SIDE + 14; // the pixel of the keys
    /** @type {{x: number, y: number} | null} */ this.pen = null; // that is down
    this.last = 0;
    this.painted = ''; // what the paper shows
    this.moving = false;
    if (this.paper) this.listen();
    if (this.on) this.play();
  }

  /** Shows or leaves the hero, as the controller says. @param {boolean} on */
  show(on) {
    if (this.on === on) return;
    this.on = on;
    document.documentElement.toggleAttribute('data-hero', on);
    if (on) this.play();
    else this.stop();
  }

  listen() {
    this.choose(INK);
    new ResizeObserver(() => this.wake()).observe(this.canvas.parentElement ?? this.canvas);
    this.paper.addEventListener('pointerdown', (e) => this.down(e));
    this.paper.addEventListener('pointermove', (e) => {
      const all = e.getCoalescedEvents?.() ?? [];
      for (const p of all.length ? all : [e]) this.draw(p);
    });
    for (const name of ['pointerup', 'pointercancel']) this.paper.addEventListener(name, () => this.up());
    this.paper.addEventListener('keydown', (e) => this.press(e));
    for (const name of ['focus', 'blur']) this.paper.addEventListener(name, () => this.wake());
    this.hero.addEventListener('click', (/** @type {Event} */ e) => {
      const { brush } = /** @type {any} */ (e.target).closest?.('[data-brush]')?.dataset ?? {};
      if (brush) brush === 'all' ? this.clear() : this.choose(Number(brush));
    });
    this.slider.addEventListener('input', () => {
      [this.at, this.pace] = [Number(this.slider.value) / 1000, 0];
      this.wake();
    });
  }

  /** Begins with the hand and the dreams that are kept. */
  async play() {
    this.drawing.fill(FREE);
    [this.film, this.began] = [[], 0];
    delete this.hero.dataset.own;
    this.act('hand');
    this.wake();
    try {
      const data = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await bring('hero.bin')).stream());
      const bytes = await new Response(data.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
      if (this.hero.dataset.act !== 'hand') return; // somebody draws
      const n = new DataView(bytes).getUint16(0, true);
      this.stroke = [...new Uint16Array(bytes.slice(2, 2 + 2 * n))];
      this.shows.fill(FREE);
      for (const p of this.stroke) this.shows[p] = INK;
      for (let k = 2 + 2 * n; k + FRAME <= bytes.byteLength; k += FRAME) this.take(bytes.slice(k, k + FRAME), false);
      this.began = performance.now();
      [this.at, this.pace] = [0, 0];
      if (!this.calm.matches) return this.wake();
      [this.at, this.drawing] = [1, this.shows.slice()]; // a still picture
      this.act('yours');
    } catch {
      this.act('yours'); // without the film the page is as good
    }
    this.wake();
  }

  stop() {
    [this.pen, this.film] = [null, []];
    this.act('yours');
  }

  /** @param {'hand' | 'says' | 'yours'} act */
  act(act) { this.hero.dataset.act = act; }

  /** Takes a packed frame. One that is hotter than the last begins a film; the picture before it stays and morphs.
   * @param {ArrayBuffer} data */
  take(data, live = true) {
    const beta = new DataView(data).getFloat32(0, true);
    const before = this.film.at(-1);
    const again = !before || beta < before.beta;
    if (again) this.film = [];
    if (again && live) {
      [this.at, this.pace] = this.calm.matches ? [1, 0] : [0, 1 / ANSWERS];
      this.shows = this.sent.slice();
      this.hero.dataset.runs = String(Number(this.hero.dataset.runs ?? 0) + 1);
    }
    const bits = new Uint8Array(data, 4);
    const grey = new Float32Array(DREAMS * CELLS);
    // A particle is on or off at a pixel by chance; the mean over some moments shows how likely it is, in grey.
    const keep = again ? 0 : .78 * beta ** 6;
    for (let i = 0; i < grey.length; i++) {
      grey[i] = (before && keep ? keep * before.grey[i] : 0) + (1 - keep) * (bits[i >> 3] >> (7 - (i & 7)) & 1);
    }
    this.film.push({ beta, grey });
    this.wake();
  }

  /** Whether nothing moves. */
  still() { return !this.moving; }

  wake() {
    if (this.moving || !this.on) return;
    this.moving = true;
    this.last = performance.now();
    this.moved();
    requestAnimationFrame((now) => this.step(now));
  }

  /** Paints, and goes on while something moves. @param {number} now */
  step(now) {
    const passed = Math.min(.1, Math.max(0, now - this.last) / 1000);
    this.last = now;
    const { act } = this.hero.dataset;
    if (act !== 'yours' && this.began) this.haunt(Math.max(0, now - this.began) / 1000);
    else if (this.pace) this.at = Math.min(1, this.at + this.pace * passed);
    if (this.at === 1) this.pace = 0;
    const glides = this.morph(this.calm.matches ? 1 : 1 - Math.exp(-passed / .11));
    this.paint();
    this.slider.value = String(Math.round(1000 * this.at));
    this.moving = this.on && (glides || this.pace > 0 || this.hero.dataset.act !== 'yours');
    if (this.moving) requestAnimationFrame((next) => this.step(next));
    else this.moved();
  }

  /** The hand draws, dreams condense, the odds are said, and the paper is the visitor's.
   * @param {number} t seconds since it began */
  haunt(t) {
    const n = Math.round(this.stroke.length * Math.min(1, t / DRAWS));
    for (const p of this.stroke.slice(0, n)) this.drawing[p] = INK;
    const u = Math.min(1, Math.max(0, (t - DRAWS) / CONDENSES));
    // Noise moves from the beginning.
    this.at = u > 0 ? .12 + .88 * u ** .8 : .06 + .06 * Math.sin(2.4 * t - 1.6);
    if (u === 1 && this.film.length) this.act('says');
    if (t > DRAWS + CONDENSES + READS) {
      this.drawing.fill(FREE);
      this.at = 1;
      this.act('yours');
    }
  }

  /** Takes what is shown a part of the way to the film; whether it is not there yet. @param {number} part */
  morph(part) {
    let far = 0;
    /** @param {Float32Array} now @param {number} i @param {number} to */
    const go = (now, i, to) => {
      const gap = to - now[i];
      now[i] = Math.abs(gap) < .004 ? to : now[i] + part * gap;
      far = Math.max(far, Math.abs(to - now[i]));
    };
    const place = this.at * (this.film.length - 1);
    const [a, b] = [this.film[Math.floor(place)], this.film[Math.ceil(place)]];
    const mix = place - Math.floor(place);
    for (let i = 0; a && i < this.shown.length; i++) go(this.shown, i, a.grey[i] + mix * (b.grey[i] - a.grey[i]));
    for (let i = 0; !a && !this.calm.matches && i < this.shown.length; i++) { // noise, until the film is there
      this.shown[i] += .2 * (Number(Math.random() < .12) - this.shown[i]);
    }
    const seen = this.hero.dataset.act === 'hand' ? this.drawing : this.shows;
    for (let p = 0; p < CELLS; p++) {
      go(this.tint, p, Number(seen[p] === PAPER));
      go(this.tint, CELLS + p, Number(seen[p] === INK));
    }
    return far > 0;
  }

  paint() {
    const scale = devicePixelRatio;
    const stage = /** @type {HTMLElement} */ (this.canvas.parentElement);
    const [w, h] = [stage.clientWidth, stage.clientHeight];
    if (w < 50 || h < 50) return;
    const { paper, slots, size } = arrange(w, h);
    fit(this.canvas, w * scale, h * scale);
    const [left, top, width] = [paper.x, paper.y, paper.size].map((x) => `${x}px`);
    Object.assign(this.paper.style, { left, top, width, height: width });
    this.paintPencil(paper);
    fit(this.paper, paper.size * scale, paper.size * scale);
    this.paintDreams(slots, size, scale);
    this.paintPaper(paper.size * scale);
  }

  /** @param {{x: number, y: number}[]} slots @param {number} size @param {number} scale */
  paintDreams(slots, size, scale) {
    const { data } = this.pixels;
    const draws = this.hero.dataset.act === 'hand';
    for (let d = 0; d < DREAMS; d++) {
      for (let p = 0; p < CELLS; p++) {
        const g = this.shown[d * CELLS + p];
        const [out, ink] = [this.tint[p], this.tint[CELLS + p]];
        // More contrast; and what the hand has not drawn yet is not there.
        const light = draws && this.shows[p] === INK ? 0 : g * g * (3 - 2 * g);
        const to = 4 * ((p / SIDE | 0) * SIDE * DREAMS + d * SIDE + p % SIDE);
        for (let c = 0; c < 3; c++) {
          const free = GROUND[c] + light * (1 - out) * (LIGHT[c] - GROUND[c]);
          data[to + c] = free + ink * (STROKE[c] - free);
        }
        data[to + 3] = 255;
      }
    }
    this.small.putImageData(this.pixels, 0, 0);
    const on = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    on.clearRect(0, 0, this.canvas.width, this.canvas.height);
    on.imageSmoothingEnabled = false;
    const side = Math.round(size * scale);
    slots.forEach(({ x, y }, d) => on.drawImage(this.atlas, d * SIDE, 0, SIDE, SIDE, Math.round(x * scale),
      Math.round(y * scale), side, side));
  }

  /** Puts the pencil where the hand draws. @param {Places['paper']} paper */
  paintPencil({ x, y, size }) {
    const tip = (this.hero.dataset.act === 'hand' && this.stroke.filter((p) => this.drawing[p] === INK).at(-1)) || 0;
    this.pencil.hidden = !tip;
    const [left, top] = [x + (tip % SIDE + .5) * size / SIDE, y + ((tip / SIDE | 0) + .5) * size / SIDE];
    Object.assign(this.pencil.style, { left: `${left}px`, top: `${top}px`, width: `${size / 4}px` });
  }

  /** @param {number} side in pixels of the screen */
  paintPaper(side) {
    const focus = document.activeElement === this.paper && this.paper.matches(':focus-visible');
    const now = [side, focus && this.key, this.drawing].join();
    if (now === this.painted) return;
    this.painted = now;
    const on = /** @type {CanvasRenderingContext2D} */ (this.paper.getContext('2d'));
    const cell = side / SIDE;
    const edge = Math.max(1, Math.round(cell / 14));
    on.fillStyle = '#0d121a';
    on.fillRect(0, 0, side, side);
    /** @param {number} p @param {number} inset */
    const box = (p, inset) => {
      const [x, y] = [Math.round(p % SIDE * cell), Math.round((p / SIDE | 0) * cell)];
      const [r, b] = [Math.round((p % SIDE + 1) * cell), Math.round(((p / SIDE | 0) + 1) * cell)];
      return /** @type {const} */ ([x + inset, y + inset, r - x - 2 * inset, b - y - 2 * inset]);
    };
    for (let p = 0; p < CELLS; p++) {
      on.fillStyle = this.drawing[p] === INK ? `rgb(${STROKE})` : '#151c27';
      on.fillRect(...box(p, this.drawing[p] === INK ? 0 : edge / 2));
      if (this.drawing[p] === PAPER) { // off for certain: a hollow cell
        on.strokeStyle = `rgb(${STROKE})`;
        on.lineWidth = edge;
        on.strokeRect(...box(p, cell / 4));
      }
    }
    if (focus) {
      on.strokeStyle = '#fff';
      on.lineWidth = 2 * edge + 1;
      on.strokeRect(...box(this.key, 0));
    }
  }

  // ---- drawing

  /** The visitor begins: the hand goes, and its stroke with it. */
  begin() {
    if (this.hero.dataset.own) return;
    this.drawing.fill(FREE);
    this.at = 1;
    this.act('yours');
  }

  /** @param {PointerEvent} e */
  down(e) {
    if (e.button) return;
    this.begin();
    this.paper.setPointerCapture(e.pointerId);
    this.pen = this.where(e);
    this.draw(e);
  }

  /** @param {PointerEvent} e */
  where(e) {
    const { left, top, width } = this.paper.getBoundingClientRect();
    return { x: (e.clientX - left) * SIDE / width, y: (e.clientY - top) * SIDE / width };
  }

  /** Draws to where the pen is, two pixels wide. @param {PointerEvent} e */
  draw(e) {
    if (!this.pen) return;
    const [from, to] = [this.pen, this.where(e)];
    const n = Math.ceil(4 * Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), .25));
    for (let k = 0; k <= n; k++) {
      const x = Math.round(from.x + (to.x - from.x) * k / n) - 1;
      const y = Math.round(from.y + (to.y - from.y) * k / n) - 1;
      for (const [i, j] of [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]) {
        if (Math.min(i, j) >= 0 && Math.max(i, j) < SIDE) this.drawing[j * SIDE + i] = this.brush;
      }
    }
    this.pen = to;
    this.wake();
  }

  up() {
    if (this.pen) this.send();
    this.pen = null;
  }

  /** @param {KeyboardEvent} e */
  press(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const [x, y] = [this.key % SIDE, this.key / SIDE | 0];
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], ' ': [0, 0],
      Enter: [0, 0] }[e.key];
    if (!way) return;
    e.preventDefault();
    const [i, j] = [x + way[0], y + way[1]];
    if (Math.min(i, j) >= 0 && Math.max(i, j) < SIDE) this.key = j * SIDE + i;
    if (!way[0] && !way[1] || e.shiftKey) {
      this.begin();
      this.drawing[this.key] = this.brush;
      this.send();
    }
    const [row, column] = [(this.key / SIDE | 0) + 1, this.key % SIDE + 1];
    $('paper-says').textContent = words(`cell${this.drawing[this.key]}`, row, column);
    this.wake();
  }

  /** @param {number} brush */
  choose(brush) {
    this.brush = brush;
    for (const b of this.hero.querySelectorAll('[data-brush]:not([data-brush=all])'))
      b.setAttribute('aria-pressed', String(b.getAttribute('data-brush') === String(brush)));
  }

  clear() {
    this.begin();
    this.drawing.fill(FREE);
    this.send();
    this.wake();
  }

  send() {
    this.hero.dataset.own = 'yes';
    this.sent = this.drawing.slice();
    this.drawn([...this.drawing].flatMap((v, p) => (v === FREE ? [] : `${p}${v === INK ? 'i' : 'p'}`)).join('-'));
  }
}
