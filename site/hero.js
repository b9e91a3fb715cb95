// The first page (the hero): a paper to draw on, and around it pictures that the model samples given the drawing, called
// dreams. It paints plain canvases, so that it works before any program has loaded. At first a pencil draws: a stroke
// whose dreams are in hero.bin, which `tool hero` writes, or the stroke of a link (#stroke=...), whose dreams are computed.
// When the visitor draws, the drawing is sent to the controller, and the frames that come back are painted.
import { arrange, fit } from './layout.js';
import { bring, words } from './load.js';
import { $ } from './view.js';

/** Pixels of a picture, and dreams: state.HeroDreams. */
const [SIDE, CELLS, DREAMS] = [28, 28 * 28, 24];
/** Bytes of a packed frame: the temperature, then a bit for each pixel. */
const FRAME = 4 + DREAMS * CELLS / 8;
/** Colours of the paper, of pixels that are on, and of the stroke. */
const [GROUND, LIGHT, STROKE] = [[13, 18, 26], [224, 234, 248], [255, 163, 26]];
/** Durations in seconds: the pencil draws, dreams appear, their odds are read; dreams of the visitor's drawing appear. */
const [DRAWS, CONDENSES, READS, ANSWERS] = [1.5, 3.2, 2.6, 1.5];
/** States of a pixel of the drawing: fixed to off, fixed to on, or left to the model. */
const [PAPER, INK, FREE] = [0, 1, 2];

/** The drawing of a link, pixel by pixel in the form of frame.Drawing: 205i3-233p. Null if the link has none.
 * @param {string} hash */
function drawingOf(hash) {
  const text = hash.match(/^#stroke=([\dip-]+)/)?.[1];
  if (!text) return null;
  const drawing = new Uint8Array(CELLS).fill(FREE);
  for (const run of text.split('-')) {
    const [, first, kind, length] = run.match(/^(\d+)([ip])(\d*)$/) ?? [];
    if (kind) drawing.fill(kind === 'i' ? INK : PAPER, Number(first), Number(first) + Number(length || 1));
  }
  return drawing;
}

/** The ink of a drawing in an order for the pencil: from an end of the line, always on to the nearest pixel.
 * @param {Uint8Array} drawing */
function pencilOrder(drawing) {
  const left = [...drawing.keys()].filter((p) => drawing[p] === INK);
  const distance = (/** @type {number} */ p, /** @type {number} */ q) =>
    Math.hypot(p % SIDE - q % SIDE, (p / SIDE | 0) - (q / SIDE | 0));
  /** @param {number} p */
  const neighbours = (p) => left.filter((q) => distance(p, q) < 1.5).length;
  let now = left.reduce((a, b) => (neighbours(b) < neighbours(a) ? b : a), left[0]);
  /** @type {number[]} */ const order = [];
  while (left.length) {
    now = left.reduce((a, b) => (distance(now, b) < distance(now, a) ? b : a));
    order.push(...left.splice(left.indexOf(now), 1));
  }
  return order;
}

export class Hero {
  /** @param {(clamp: string) => void} drawn receives a drawing @param {() => void} moved is called if still() changes */
  constructor(drawn, moved) {
    this.drawn = drawn;
    this.moved = moved;
    this.hero = $('hero') ?? document.createElement('main'); // a page saved as one file has no hero
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
    this.at = 0; // the position in the film, 0 to 1
    this.pace = 0; // how fast it moves, per second
    this.drawing = new Uint8Array(CELLS).fill(FREE); // on the paper
    this.sent = this.drawing.slice(); // the drawing whose run is awaited
    this.shows = this.drawing.slice(); // the drawing of the film
    this.shown = new Float32Array(DREAMS * CELLS); // the grey values on the screen
    this.tint = new Float32Array(2 * CELLS); // how far a pixel is tinted as fixed to off, then to on
    /** @type {number[]} The pixels that the pencil draws, in its order. */
    this.stroke = [];
    this.link = ''; // the address for which the pencil drew
    this.began = 0; // the time at which the pencil began
    this.brush = INK;
    this.key = 14 * SIDE + 14; // the pixel that the keys are at
    /** @type {{x: number, y: number} | null} The last place of the pointer while it draws. */
    this.pen = null;
    this.last = 0; // the time of the last step
    this.painted = ''; // identifies what the paper shows
    this.moving = false;
    if (this.paper) this.listen();
    if (this.on) this.play();
  }

  /** Shows or hides the hero. @param {boolean} on */
  show(on) {
    if (this.on === on && (!on || this.link === location.hash)) return;
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

  /** Starts the introduction: the pencil draws the stroke of the link, or the one in hero.bin. */
  async play() {
    this.drawing.fill(FREE);
    [this.film, this.began, this.at, this.pace] = [[], 0, 0, 0];
    this.link = location.hash;
    delete this.hero.dataset.own;
    this.act('hand');
    this.wake();
    const given = drawingOf(this.link);
    if (given) {
      this.sent = given;
      this.stroke = pencilOrder(given);
      this.shows = given.slice();
      this.hero.querySelector('.hero-odds')?.replaceChildren(); // those in the page belong to the stroke of hero.bin
      return this.begins();
    }
    try {
      const data = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await bring('hero.bin')).stream());
      const bytes = await new Response(data.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
      if (this.hero.dataset.act !== 'hand') return; // the visitor has begun to draw
      const n = new DataView(bytes).getUint16(0, true);
      this.stroke = [...new Uint16Array(bytes.slice(2, 2 + 2 * n))];
      this.shows.fill(FREE);
      for (const p of this.stroke) this.shows[p] = INK;
      for (let k = 2 + 2 * n; k + FRAME <= bytes.byteLength; k += FRAME) this.take(bytes.slice(k, k + FRAME), false);
      this.begins();
    } catch {
      this.act('yours'); // the page works without the film
      this.wake();
    }
  }

  /** Starts the pencil, or shows the end of the introduction at once if the visitor wants no motion. */
  begins() {
    this.began = performance.now();
    if (this.calm.matches) {
      [this.at, this.drawing] = [1, this.shows.slice()];
      this.act('yours');
    }
    this.wake();
  }

  stop() {
    [this.pen, this.film] = [null, []];
    this.act('yours');
  }

  /** @param {'hand' | 'says' | 'yours'} act */
  act(act) { this.hero.dataset.act = act; }

  /** Takes a packed frame. A frame with a lower beta than the last begins a new film.
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
    // A single sample is on or off at a pixel; a running mean shows the probability, in grey.
    const keep = again ? 0 : .78 * beta ** 6;
    for (let i = 0; i < grey.length; i++) {
      grey[i] = (before && keep ? keep * before.grey[i] : 0) + (1 - keep) * (bits[i >> 3] >> (7 - (i & 7)) & 1);
    }
    this.film.push({ beta, grey });
    this.wake();
  }

  /** Reports whether nothing moves. */
  still() { return !this.moving; }

  wake() {
    if (this.moving || !this.on) return;
    this.moving = true;
    this.last = performance.now();
    this.moved();
    requestAnimationFrame((now) => this.step(now));
  }

  /** Paints a frame, and the next one while something moves. @param {number} now */
  step(now) {
    const passed = Math.min(.1, Math.max(0, now - this.last) / 1000);
    this.last = now;
    const { act } = this.hero.dataset;
    if (act !== 'yours' && this.began) this.introduce(Math.max(0, now - this.began) / 1000);
    else if (this.pace) this.at = Math.min(1, this.at + this.pace * passed);
    if (this.at === 1) this.pace = 0;
    const glides = this.morph(this.calm.matches ? 1 : 1 - Math.exp(-passed / .11));
    this.paint();
    this.slider.value = String(Math.round(1000 * this.at));
    this.moving = this.on && (glides || this.pace > 0 || this.hero.dataset.act !== 'yours');
    if (this.moving) requestAnimationFrame((next) => this.step(next));
    else this.moved();
  }

  /** The introduction: the pencil draws, dreams appear, the odds are shown, and the paper is cleared for the visitor.
   * @param {number} t seconds since it began */
  introduce(t) {
    const n = Math.round(this.stroke.length * Math.min(1, t / DRAWS));
    for (const p of this.stroke.slice(0, n)) this.drawing[p] = INK;
    const u = Math.min(1, Math.max(0, (t - DRAWS) / CONDENSES));
    // Before the dreams appear, the noise moves a little.
    this.at = u > 0 ? .12 + .88 * u ** .8 : .06 + .06 * Math.sin(2.4 * t - 1.6);
    if (u === 1 && this.film.length) this.act('says');
    if (n === this.stroke.length) this.drawing.set(this.shows); // also the pixels that are fixed to off
    if (t > DRAWS + CONDENSES + READS) {
      this.drawing.fill(FREE);
      this.at = 1;
      this.act('yours');
    }
  }

  /** Moves what is shown a part of the way towards the film; reports whether it has not arrived. @param {number} part */
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
    for (let i = 0; !a && !this.calm.matches && i < this.shown.length; i++) { // noise, until the film has loaded
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
        // More contrast. What the pencil has not drawn yet is dark.
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

  /** Places the pencil at the newest pixel that it drew. @param {Places['paper']} paper */
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
    paintDrawing(on, side, this.drawing);
    if (focus) {
      on.strokeStyle = '#fff';
      on.lineWidth = 2 * Math.max(1, Math.round(side / SIDE / 14)) + 1;
      on.strokeRect(...cell(side, this.key, 0));
    }
  }

  /** Draws the paper and eight dreams, for previews of the link. @returns {Promise<ArrayBuffer>} a PNG */
  async card() {
    const canvas = new OffscreenCanvas(1200, 630);
    const on = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    on.fillStyle = '#07090d';
    on.fillRect(0, 0, 1200, 630);
    on.translate(63, 63);
    paintDrawing(on, 504, this.sent);
    on.imageSmoothingEnabled = false;
    for (let k = 0; k < 8; k++) {
      on.drawImage(this.atlas, 3 * k * SIDE, 0, SIDE, SIDE, 544 + k % 4 * 136, 126 + (k / 4 | 0) * 136, 126, 126);
    }
    return (await canvas.convertToBlob()).arrayBuffer();
  }

  // ---- drawing

  /** Ends the introduction and clears its stroke, when the visitor begins. */
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

  /** Draws a line of two pixels' width to the place of the pointer. @param {PointerEvent} e */
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

/** The rectangle of a pixel on a paper. @param {number} side of the paper @param {number} p @param {number} inset
 * @returns {[number, number, number, number]} */
function cell(side, p, inset) {
  const size = side / SIDE;
  const [x, y] = [Math.round(p % SIDE * size), Math.round((p / SIDE | 0) * size)];
  const [r, b] = [Math.round((p % SIDE + 1) * size), Math.round(((p / SIDE | 0) + 1) * size)];
  return [x + inset, y + inset, r - x - 2 * inset, b - y - 2 * inset];
}

/** Paints a paper with a drawing. @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} on
 * @param {number} side @param {Uint8Array} drawing */
function paintDrawing(on, side, drawing) {
  const size = side / SIDE;
  const edge = Math.max(1, Math.round(size / 14));
  on.fillStyle = '#0d121a';
  on.fillRect(0, 0, side, side);
  for (let p = 0; p < CELLS; p++) {
    on.fillStyle = drawing[p] === INK ? `rgb(${STROKE})` : '#151c27';
    on.fillRect(...cell(side, p, drawing[p] === INK ? 0 : edge / 2));
    if (drawing[p] === PAPER) { // fixed to off: a hollow cell
      on.strokeStyle = `rgb(${STROKE})`;
      on.lineWidth = edge;
      on.strokeRect(...cell(side, p, size / 4));
    }
  }
}
