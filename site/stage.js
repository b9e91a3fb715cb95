// The inside of the picture's iframe: starts the program, carries its messages, keeps it from swallowing keys.
// Messages are those that wasm/canvas/main_js.go lists. {t:'loading', text: how far} and {t:'key', key} are added on the
// way to the page; {t:'video'} is answered here. Answers to picture, svg, film, video and card without data: none was made.
// The page calls deliver once the program is ready, and is called for acks.
// {t:'rest'} gets the number n of the page's newest message; n is -1 when the picture moves for another reason.

const scope = /** @type {StageWindow} */ (window);
const page = window.parent;
/** What the page loads with. @type {Required<Boot>} */
const { Trouble, load, words } = /** @type {any} */ (page).boot;
export {}; // a module, for the type checker

// Ebiten's canvas has no outline; who comes by keyboard must see where they are.
const ring = new CSSStyleSheet();
ring.replaceSync('canvas:focus-visible { outline: 2px solid #2f81e0 !important; outline-offset: -2px; }');
document.adoptedStyleSheets = [ring];

/** @param {object} m */
const post = (m) => page.postMessage(m, '/');

let failed = false;
/** Says, once, that there will be no picture. @param {string} text */
function fail(text) {
  if (!failed) post({ t: 'error', text });
  failed = true;
}

let newest = 0; // number of the page's last message that Go has
let calm = false; // the page believes that the picture stands still
/** Tells the page that the picture is about to change. */
const stir = () => {
  if (calm) post({ t: 'rest', n: -1 });
  calm = false;
};

/** Hands a message of the page to Go. Bytes are wrapped anew: Go accepts only arrays of its own window.
 * @param {StageMessage} m */
scope.deliver = (m) => {
  newest = m.n ?? newest;
  if (m.t === 'video') return record();
  if (m.t === 'state') spare = m.lanes ? navigator.hardwareConcurrency - m.lanes : 2;
  try {
    scope.onLab?.(m.data ? { ...m, data: new Uint8Array(m.data) } : m);
  } catch (e) { // a program that has ended
    fail(`${words('lostpicture')} (${e})`);
  }
};

// Ebiten prevents the default of every key, also of Tab and of the browser's own shortcuts, so none reaches it. A scene
// that has a use for a key takes it; the page's keys go to the page.
addEventListener('keydown', (e) => {
  e.stopImmediatePropagation();
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  stir();
  if (scope.onLab?.({ t: 'key', key: e.key })) return e.preventDefault();
  if (!/^([ ?rn1-9]|Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Escape)$/i.test(e.key)) return;
  e.preventDefault();
  post({ t: 'key', key: e.key });
}, { capture: true });
// The wheel and the finger scroll the page, unless the finger went down on something that it moves.
let grabbed = false;
for (const name of ['keyup', 'keypress', 'wheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel']) {
  addEventListener(name, (e) => {
    e.stopImmediatePropagation();
    if (grabbed && name === 'touchstart') e.preventDefault();
  }, { capture: true, passive: name !== 'touchstart' });
}

// What the pointer reads: Go draws it and tells the page in words. A finger taps.
/** @param {'pointer' | 'press' | 'release' | 'tap'} t @param {MouseEvent} e */
const point = (t, e) => {
  stir();
  const finger = e instanceof PointerEvent && e.pointerType === 'touch';
  grabbed = scope.onLab?.({ t, x: e.clientX, y: e.clientY, finger }) === true;
};
addEventListener('pointermove', (e) => (e.pointerType !== 'touch' || e.buttons) && point('pointer', e));
addEventListener('pointerdown', (e) => {
  /** @type {Element} */ (e.target).setPointerCapture(e.pointerId); // a drag may leave the picture
  point('press', e);
});
for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) {
  addEventListener(name, (e) => point('release', e));
}
addEventListener('click', (e) => point('tap', e));
document.documentElement.addEventListener('pointerleave',
  (e) => e.pointerType !== 'touch' && scope.onLab?.({ t: 'leave' }));

// Ebiten asks for every refresh of the screen. Where a processor paints, it does so in as many threads as there are
// processors, and lanes that compute wait for it: refreshes are rare then. What the viewer does is painted at once, and
// what moves for 0.1 s after it as well, if a processor is left.
let [software, spare, active] = [false, 2, 0]; // spare: processors without a lane, while there are lanes
const [late, next] = [/** @type {FrameRequestCallback[]} */ ([]), requestAnimationFrame.bind(window)];
window.requestAnimationFrame = (f) => (software && spare < 2 && Date.now() > active ? late.push(f) : next(f));
const release = () => late.splice(0).forEach((f) => next(f));
scope.labRefresh = () => (active = spare > 0 ? Date.now() + 100 : 0, release());
setInterval(release, 500), setInterval(() => spare > 0 && release(), 200);

/** Turns pixels into a PNG: the drawing buffer of WebGL is gone by the time one could ask it.
 * @param {{w: number, h: number, data: Uint8ClampedArray<ArrayBuffer>}} m */
async function encode({ w, h, data }) {
  try {
    const canvas = new OffscreenCanvas(w, h);
    canvas.getContext('2d')?.putImageData(new ImageData(data, w, h), 0, 0);
    const png = await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
    page.postMessage({ t: 'picture', data: png }, '/', [png]);
  } catch {
    post({ t: 'picture' });
  }
}

/** Records the canvas while it plays the run once more, in six seconds. */
function record() {
  try {
    const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector('canvas'));
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm' });
    recorder.ondataavailable = async (e) => post({ t: 'video', data: await e.data.arrayBuffer() });
    recorder.start();
    scope.onLab?.({ t: 'play' });
    setTimeout(() => recorder.stop(), 6000);
  } catch {
    post({ t: 'video' });
  }
}

// Ebiten reads the pixel ratio once, so a new ratio (zoom, another screen) needs a new document. The page takes the
// frames back when this one goes, and hands them to the next.
const ratio = devicePixelRatio;
const checkRatio = () => { if (devicePixelRatio !== ratio) location.reload(); };
matchMedia(`(resolution: ${ratio}dppx)`).addEventListener('change', checkRatio);
addEventListener('resize', () => {
  checkRatio();
  stir();
  scope.onLab?.({ t: 'rest' }); // once it is painted in its new size
});

async function start() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const named = gl?.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL ?? gl?.RENDERER;
  software = /swiftshader|llvmpipe|software|basic render/i.test(gl?.getParameter(named ?? 0));
  if (!gl) return fail(words('nowebgl'));
  const go = new scope.Go();
  const program = await load('canvas.wasm.gz', (text) => post({ t: 'loading', text }));
  post({ t: 'loading', text: words('start') });
  scope.labPost = (/** @type {any} */ m) => {
    if (m.t === 'rest') [calm, m.n] = [true, newest];
    if (m.t === 'ack') scope.acked?.();
    else if (m.t === 'error') fail(`${words('nowebgl')} (${m.text})`);
    else if (m.t === 'pixels') encode(m);
    else post(m);
  };
  const instance = await WebAssembly.instantiate(program, go.importObject);
  const ended = go.run(instance);
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
  scope.onLab?.({ t: 'theme', name: dark ? 'dark' : 'light' });
  scope.onLab?.({ t: 'motion', reduced });
  await ended;
  fail(words('lostpicture'));
}

start().catch((e) => fail(e instanceof Trouble ? e.message : `${words('slowpicture')} (${e})`));
