// The first page (the hero): a canvas to draw on (the paper), and around it pictures that the model samples given the
// drawing (the dreams). The hero paints plain canvases, so that it works before any Go program has loaded. In the
// introduction a pencil draws a stroke: the one in hero.bin, which `tool hero` writes together with its dreams, or that
// of a link (#stroke=...), whose dreams are computed. When the visitor draws, the drawing is sent to the controller,
// and the frames that the run sends back are painted.
import { arrange, fit } from './layout.js';
import { bring, words } from './load.js';
import { $ } from './view.js';

/** Pixels of a side, pixels of a picture, and number of dreams (state.HeroSamples in Go). */
const [SIDE, CELLS, DREAMS] = [28, 28 * 28, 24];
/** Bytes of a packed frame: the temperature, then a bit for each pixel. */
const FRAME = 4 + DREAMS * CELLS / 8;
/** Colours of the paper, of pixels that are on, and of the stroke. */
const [GROUND, LIGHT, STROKE] = [[13, 18, 26], [224, 234, 248], [255, 163, 26]];
/** Durations in seconds: of the introduction, in which the pencil draws, the dreams appear and their odds are shown; and
 * of the appearance of the dreams of the visitor's drawing. */
const [DRAW_TIME, APPEAR_TIME, ODDS_TIME, OWN_APPEAR_TIME] = [1.5, 3.2, 2.6, 1.5];
/** States of a pixel of the drawing: fixed to off, fixed to on, or left to the model. */
const [PAPER, INK, FREE] = [0, 1, 2];

/** Returns the state of each pixel in the drawing of a link, or null if the link has no drawing. A drawing is written as
 * runs of pixels (frame.Drawing): 205i3-233p has ink at 205 to 207 and is fixed to off at 233.
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

/** Returns the ink pixels of a drawing in the order in which the pencil draws them: from an end of the line, each time to
 * the nearest remaining pixel.
 * @param {Uint8Array} drawing */
function pencilOrder(drawing) {
  const remaining = [...drawing.keys()].filter((p) => drawing[p] === INK);
  const distance = (/** @type {number} */ p, /** @type {number} */ q) =>
    Math.hypot(p % SIDE - q % SIDE, (p / SIDE | 0) - (q / SIDE | 0));
  /** @param {number} p */
  const neighbours = (p) => remaining.filter((q) => distance(p, q) < 1.5).length;
  let current = remaining.reduce((a, b) => (neighbours(b) < neighbours(a) ? b : a), remaining[0]);
  /** @type {number[]} */ const order = [];
  while (remaining.length) {
    current = remaining.reduce((a, b) => (distance(current, b) < distance(current, a) ? b : a));
    order.push(...remaining.splice(remaining.indexOf(current), 1));
  }
  return order;
}

export class Hero {
  /** @param {(clamp: string) => void} sendDrawing sends the visitor's drawing to the controller
   * @param {() => void} onMotionChange is called when the value of still() changes */
  constructor(sendDrawing, onMotionChange) {
    this.sendDrawing = sendDrawing;
    this.onMotionChange = onMotionChange;
    this.hero = $('hero') ?? document.createElement('main'); // a page saved as one file has no hero
    this.isShown = document.documentElement.hasAttribute('data-hero');
    this.slider = /** @type {HTMLInputElement} */ (this.hero.querySelector('[type=range]'));
    this.paper = /** @type {HTMLCanvasElement} */ ($('paper'));
    this.canvas = /** @type {HTMLCanvasElement} */ ($('dreams'));
    this.pencil = /** @type {HTMLElement} */ ($('pencil'));
    this.atlas = Object.assign(document.createElement('canvas'), { width: SIDE * DREAMS, height: SIDE });
    this.atlasContext = /** @type {CanvasRenderingContext2D} */ (this.atlas.getContext('2d'));
    this.pixels = this.atlasContext.createImageData(SIDE * DREAMS, SIDE);
    this.reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
    /** @type {Moment[]} */ this.film = [];
    this.position = 0; // position in the film, from 0 (first frame) to 1 (last frame)
    this.speed = 0; // change of position per second
    this.drawing = new Uint8Array(CELLS).fill(FREE); // the drawing on the paper
    this.requestedDrawing = this.drawing.slice(); // the drawing last sent to the controller
    this.filmDrawing = this.drawing.slice(); // the drawing whose dreams the film shows
    this.shownGrey = new Float32Array(DREAMS * CELLS); // the grey values on the screen
    this.tint = new Float32Array(2 * CELLS); // how far a pixel is tinted as fixed to off, then to on
    /** @type {number[]} The pixels that the pencil draws, in its order. */
    this.pencilPixels = [];
    this.pencilLink = ''; // the address for which the pencil drew
    this.pencilStart = 0; // time at which the pencil began, 0 before
    this.brush = INK;
    this.keyPixel = 14 * SIDE + 14; // the pixel that the keyboard has selected
    /** @type {{x: number, y: number} | null} The last position of the pointer while it draws, in pixels of the picture. */
    this.lastPointer = null;
    this.lastStepTime = 0; // time of the last animation frame
    this.paperKey = ''; // identifies the painted content of the paper
    this.isMoving = false;
    if (this.paper) this.addListeners();
    if (this.isShown) this.startIntroduction();
  }

  /** Shows or hides the hero. @param {boolean} isShown */
  show(isShown) {
    if (this.isShown === isShown && (!isShown || this.pencilLink === location.hash)) return;
    this.isShown = isShown;
    document.documentElement.toggleAttribute('data-hero', isShown);
    if (isShown) this.startIntroduction();
    else this.stop();
  }

  addListeners() {
    this.chooseBrush(INK);
    new ResizeObserver(() => this.startAnimation()).observe(this.canvas.parentElement ?? this.canvas);
    this.paper.addEventListener('pointerdown', (e) => this.pointerDown(e));
    this.paper.addEventListener('pointermove', (e) => {
      const all = e.getCoalescedEvents?.() ?? [];
      for (const p of all.length ? all : [e]) this.draw(p);
    });
    for (const name of ['pointerup', 'pointercancel']) this.paper.addEventListener(name, () => this.pointerUp());
    this.paper.addEventListener('keydown', (e) => this.keyDown(e));
    for (const name of ['focus', 'blur']) this.paper.addEventListener(name, () => this.startAnimation());
    this.hero.addEventListener('click', (/** @type {Event} */ e) => {
      const { brush } = /** @type {any} */ (e.target).closest?.('[data-brush]')?.dataset ?? {};
      if (brush) brush === 'all' ? this.clear() : this.chooseBrush(Number(brush));
    });
    this.slider.addEventListener('input', () => {
      [this.position, this.speed] = [Number(this.slider.value) / 1000, 0];
      this.startAnimation();
    });
  }

  /** Starts the introduction: the pencil draws the stroke of the link, or the one in hero.bin. */
  async startIntroduction() {
    this.drawing.fill(FREE);
    [this.film, this.pencilStart, this.position, this.speed] = [[], 0, 0, 0];
    this.pencilLink = location.hash;
    delete this.hero.dataset.own;
    this.setAct('hand');
    this.startAnimation();
    const linkDrawing = drawingOf(this.pencilLink);
    if (linkDrawing) {
      this.requestedDrawing = linkDrawing;
      this.pencilPixels = pencilOrder(linkDrawing);
      this.filmDrawing = linkDrawing.slice();
      this.hero.querySelector('.hero-odds')?.replaceChildren(); // the odds in index.html belong to the stroke of hero.bin
      return this.startPencil();
    }
    try {
      const data = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ ((await bring('hero.bin')).stream());
      const bytes = await new Response(data.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
      if (this.hero.dataset.act !== 'hand') return; // the visitor has begun to draw
      const n = new DataView(bytes).getUint16(0, true);
      this.pencilPixels = [...new Uint16Array(bytes.slice(2, 2 + 2 * n))];
      this.filmDrawing.fill(FREE);
      for (const p of this.pencilPixels) this.filmDrawing[p] = INK;
      for (let k = 2 + 2 * n; k + FRAME <= bytes.byteLength; k += FRAME) this.takeFrame(bytes.slice(k, k + FRAME), false);
      this.startPencil();
    } catch {
      this.setAct('yours'); // the page works without the film
      this.startAnimation();
    }
  }

  /** Starts the pencil, or shows the end of the introduction at once if the visitor wants no motion. */
  startPencil() {
    this.pencilStart = performance.now();
    if (this.reducedMotion.matches) {
      [this.position, this.drawing] = [1, this.filmDrawing.slice()];
      this.setAct('yours');
    }
    this.startAnimation();
  }

  stop() {
    [this.lastPointer, this.film] = [null, []];
    this.setAct('yours');
  }

  /** Sets the stage of the hero: the pencil draws (hand), the odds are shown (says), or the visitor may draw (yours).
   * @param {'hand' | 'says' | 'yours'} act */
  setAct(act) { this.hero.dataset.act = act; }

  /** Adds a packed frame (PackHeroFrame in Go) to the film. A frame with a lower beta than the last one begins a new film.
   * live is false for the frames of hero.bin.
   * @param {ArrayBuffer} data */
  takeFrame(data, live = true) {
    const beta = new DataView(data).getFloat32(0, true);
    const before = this.film.at(-1);
    const startsFilm = !before || beta < before.beta;
    if (startsFilm) this.film = [];
    if (startsFilm && live) {
      [this.position, this.speed] = this.reducedMotion.matches ? [1, 0] : [0, 1 / OWN_APPEAR_TIME];
      this.filmDrawing = this.requestedDrawing.slice();
      this.hero.dataset.runs = String(Number(this.hero.dataset.runs ?? 0) + 1);
    }
    const bits = new Uint8Array(data, 4);
    const grey = new Float32Array(DREAMS * CELLS);
    // A single sample is on or off at a pixel; a running mean shows the probability, in grey.
    const keptWeight = startsFilm ? 0 : .78 * beta ** 6;
    for (let i = 0; i < grey.length; i++) {
      grey[i] = (before && keptWeight ? keptWeight * before.grey[i] : 0) + (1 - keptWeight) * (bits[i >> 3] >> (7 - (i & 7)) & 1);
    }
    this.film.push({ beta, grey });
    this.startAnimation();
  }

  /** Reports whether nothing moves. */
  still() { return !this.isMoving; }

  /** Starts the animation if it is not running. */
  startAnimation() {
    if (this.isMoving || !this.isShown) return;
    this.isMoving = true;
    this.lastStepTime = performance.now();
    this.onMotionChange();
    requestAnimationFrame((now) => this.step(now));
  }

  /** Paints a frame, and the next one while something moves. @param {number} now */
  step(now) {
    const elapsed = Math.min(.1, Math.max(0, now - this.lastStepTime) / 1000);
    this.lastStepTime = now;
    const { act } = this.hero.dataset;
    if (act !== 'yours' && this.pencilStart) this.advanceIntroduction(Math.max(0, now - this.pencilStart) / 1000);
    else if (this.speed) this.position = Math.min(1, this.position + this.speed * elapsed);
    if (this.position === 1) this.speed = 0;
    const isChanging = this.approachFilm(this.reducedMotion.matches ? 1 : 1 - Math.exp(-elapsed / .11));
    this.paint();
    this.slider.value = String(Math.round(1000 * this.position));
    this.isMoving = this.isShown && (isChanging || this.speed > 0 || this.hero.dataset.act !== 'yours');
    if (this.isMoving) requestAnimationFrame((next) => this.step(next));
    else this.onMotionChange();
  }

  /** Shows the introduction at time t: the pencil draws, the dreams appear, their odds are shown, and then the paper is
   * cleared for the visitor.
   * @param {number} t seconds since it began */
  advanceIntroduction(t) {
    const n = Math.round(this.pencilPixels.length * Math.min(1, t / DRAW_TIME));
    for (const p of this.pencilPixels.slice(0, n)) this.drawing[p] = INK;
    const u = Math.min(1, Math.max(0, (t - DRAW_TIME) / APPEAR_TIME));
    // Before the dreams appear, the noise moves a little.
    this.position = u > 0 ? .12 + .88 * u ** .8 : .06 + .06 * Math.sin(2.4 * t - 1.6);
    if (u === 1 && this.film.length) this.setAct('says');
    if (n === this.pencilPixels.length) this.drawing.set(this.filmDrawing); // also the pixels that are fixed to off
    if (t > DRAW_TIME + APPEAR_TIME + ODDS_TIME) {
      this.drawing.fill(FREE);
      this.position = 1;
      this.setAct('yours');
    }
  }

  /** Moves the shown grey values and tints towards those of the film, by a share of the difference. Returns true while a
   * difference remains. @param {number} share */
  approachFilm(share) {
    let maxGap = 0;
    /** @param {Float32Array} values @param {number} i @param {number} target */
    const approach = (values, i, target) => {
      const gap = target - values[i];
      values[i] = Math.abs(gap) < .004 ? target : values[i] + share * gap;
      maxGap = Math.max(maxGap, Math.abs(target - values[i]));
    };
    const index = this.position * (this.film.length - 1); // between two frames
    const [a, b] = [this.film[Math.floor(index)], this.film[Math.ceil(index)]];
    const mix = index - Math.floor(index);
    for (let i = 0; a && i < this.shownGrey.length; i++) approach(this.shownGrey, i, a.grey[i] + mix * (b.grey[i] - a.grey[i]));
    for (let i = 0; !a && !this.reducedMotion.matches && i < this.shownGrey.length; i++) { // noise, until the film has loaded
      this.shownGrey[i] += .2 * (Number(Math.random() < .12) - this.shownGrey[i]);
    }
    const tinted = this.hero.dataset.act === 'hand' ? this.drawing : this.filmDrawing;
    for (let p = 0; p < CELLS; p++) {
      approach(this.tint, p, Number(tinted[p] === PAPER));
      approach(this.tint, CELLS + p, Number(tinted[p] === INK));
    }
    return maxGap > 0;
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
    const pencilDraws = this.hero.dataset.act === 'hand';
    for (let d = 0; d < DREAMS; d++) {
      for (let p = 0; p < CELLS; p++) {
        const g = this.shownGrey[d * CELLS + p];
        const [offTint, inkTint] = [this.tint[p], this.tint[CELLS + p]];
        // A cubic increases the contrast. Ink pixels are dark while the pencil draws.
        const light = pencilDraws && this.filmDrawing[p] === INK ? 0 : g * g * (3 - 2 * g);
        const offset = 4 * ((p / SIDE | 0) * SIDE * DREAMS + d * SIDE + p % SIDE);
        for (let c = 0; c < 3; c++) {
          const free = GROUND[c] + light * (1 - offTint) * (LIGHT[c] - GROUND[c]);
          data[offset + c] = free + inkTint * (STROKE[c] - free);
        }
        data[offset + 3] = 255;
      }
    }
    this.atlasContext.putImageData(this.pixels, 0, 0);
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.imageSmoothingEnabled = false;
    const side = Math.round(size * scale);
    slots.forEach(({ x, y }, d) => context.drawImage(this.atlas, d * SIDE, 0, SIDE, SIDE, Math.round(x * scale),
      Math.round(y * scale), side, side));
  }

  /** Places the pencil at the newest pixel that it drew. @param {Places['paper']} paper */
  paintPencil({ x, y, size }) {
    const tip = (this.hero.dataset.act === 'hand' && this.pencilPixels.filter((p) => this.drawing[p] === INK).at(-1)) || 0;
    this.pencil.hidden = !tip;
    const [left, top] = [x + (tip % SIDE + .5) * size / SIDE, y + ((tip / SIDE | 0) + .5) * size / SIDE];
    Object.assign(this.pencil.style, { left: `${left}px`, top: `${top}px`, width: `${size / 4}px` });
  }

  /** @param {number} side in pixels of the screen */
  paintPaper(side) {
    const focus = document.activeElement === this.paper && this.paper.matches(':focus-visible');
    const content = [side, focus && this.keyPixel, this.drawing].join();
    if (content === this.paperKey) return;
    this.paperKey = content;
    const context = /** @type {CanvasRenderingContext2D} */ (this.paper.getContext('2d'));
    paintDrawing(context, side, this.drawing);
    if (focus) {
      context.strokeStyle = '#fff';
      context.lineWidth = 2 * Math.max(1, Math.round(side / SIDE / 14)) + 1;
      context.strokeRect(...cell(side, this.keyPixel, 0));
    }
  }

  /** Draws the paper and eight dreams as the preview picture of a link. @returns {Promise<ArrayBuffer>} a PNG */
  async card() {
    const canvas = new OffscreenCanvas(1200, 630);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.fillStyle = '#07090d';
    context.fillRect(0, 0, 1200, 630);
    context.translate(63, 63);
    paintDrawing(context, 504, this.requestedDrawing);
    context.imageSmoothingEnabled = false;
    for (let k = 0; k < 8; k++) {
      context.drawImage(this.atlas, 3 * k * SIDE, 0, SIDE, SIDE, 544 + k % 4 * 136, 126 + (k / 4 | 0) * 136, 126, 126);
    }
    return (await canvas.convertToBlob()).arrayBuffer();
  }

  // ---- drawing

  /** Ends the introduction and clears its stroke, when the visitor begins to draw. */
  beginOwnDrawing() {
    if (this.hero.dataset.own) return;
    this.drawing.fill(FREE);
    this.position = 1;
    this.setAct('yours');
  }

  /** @param {PointerEvent} e */
  pointerDown(e) {
    if (e.button) return;
    this.beginOwnDrawing();
    this.paper.setPointerCapture(e.pointerId);
    this.lastPointer = this.pixelAt(e);
    this.draw(e);
  }

  /** Returns the position of the pointer in pixels of the picture. @param {PointerEvent} e */
  pixelAt(e) {
    const { left, top, width } = this.paper.getBoundingClientRect();
    return { x: (e.clientX - left) * SIDE / width, y: (e.clientY - top) * SIDE / width };
  }

  /** Draws a line two pixels wide to the position of the pointer. @param {PointerEvent} e */
  draw(e) {
    if (!this.lastPointer) return;
    const [from, to] = [this.lastPointer, this.pixelAt(e)];
    const n = Math.ceil(4 * Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y), .25));
    for (let k = 0; k <= n; k++) {
      const x = Math.round(from.x + (to.x - from.x) * k / n) - 1;
      const y = Math.round(from.y + (to.y - from.y) * k / n) - 1;
      for (const [i, j] of [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]]) {
        if (Math.min(i, j) >= 0 && Math.max(i, j) < SIDE) this.drawing[j * SIDE + i] = this.brush;
      }
    }
    this.lastPointer = to;
    this.startAnimation();
  }

  pointerUp() {
    if (this.lastPointer) this.submit();
    this.lastPointer = null;
  }

  /** @param {KeyboardEvent} e */
  keyDown(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const [x, y] = [this.keyPixel % SIDE, this.keyPixel / SIDE | 0];
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], ' ': [0, 0],
      Enter: [0, 0] }[e.key];
    if (!step) return;
    e.preventDefault();
    const [i, j] = [x + step[0], y + step[1]];
    if (Math.min(i, j) >= 0 && Math.max(i, j) < SIDE) this.keyPixel = j * SIDE + i;
    if (!step[0] && !step[1] || e.shiftKey) {
      this.beginOwnDrawing();
      this.drawing[this.keyPixel] = this.brush;
      this.submit();
    }
    const [row, column] = [(this.keyPixel / SIDE | 0) + 1, this.keyPixel % SIDE + 1];
    $('paper-says').textContent = words(`cell${this.drawing[this.keyPixel]}`, row, column);
    this.startAnimation();
  }

  /** @param {number} brush */
  chooseBrush(brush) {
    this.brush = brush;
    for (const b of this.hero.querySelectorAll('[data-brush]:not([data-brush=all])'))
      b.setAttribute('aria-pressed', String(b.getAttribute('data-brush') === String(brush)));
  }

  clear() {
    this.beginOwnDrawing();
    this.drawing.fill(FREE);
    this.submit();
    this.startAnimation();
  }

  submit() {
    this.hero.dataset.own = 'yes';
    this.requestedDrawing = this.drawing.slice();
    this.sendDrawing([...this.drawing].flatMap((v, p) => (v === FREE ? [] : `${p}${v === INK ? 'i' : 'p'}`)).join('-'));
  }
}

/** Returns x, y, width and height of pixel p on a paper. @param {number} side of the paper, in screen pixels
 * @param {number} p @param {number} inset distance from the border of the pixel
 * @returns {[number, number, number, number]} */
function cell(side, p, inset) {
  const size = side / SIDE;
  const [x, y] = [Math.round(p % SIDE * size), Math.round((p / SIDE | 0) * size)];
  const [r, b] = [Math.round((p % SIDE + 1) * size), Math.round(((p / SIDE | 0) + 1) * size)];
  return [x + inset, y + inset, r - x - 2 * inset, b - y - 2 * inset];
}

/** Paints a paper with a drawing. @param {CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D} context
 * @param {number} side @param {Uint8Array} drawing */
function paintDrawing(context, side, drawing) {
  const size = side / SIDE;
  const edge = Math.max(1, Math.round(size / 14));
  context.fillStyle = '#0d121a';
  context.fillRect(0, 0, side, side);
  for (let p = 0; p < CELLS; p++) {
    context.fillStyle = drawing[p] === INK ? `rgb(${STROKE})` : '#151c27';
    context.fillRect(...cell(side, p, drawing[p] === INK ? 0 : edge / 2));
    if (drawing[p] === PAPER) { // fixed to off: a hollow cell
      context.strokeStyle = `rgb(${STROKE})`;
      context.lineWidth = edge;
      context.strokeRect(...cell(side, p, size / 4));
    }
  }
}
