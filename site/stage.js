// The script inside the iframe of the picture: starts the Ebiten program, passes its messages, and handles keys and the
// pointer. wasm/canvas/main_js.go lists the messages. This script adds {t:'loading', text: progress} and {t:'key', key}
// for the page, and answers {t:'video'} itself. An answer to picture, svg, film, video or card without data means that
// none could be made. The page calls deliver once the program is ready. {t:'rest', n} says that the picture is still
// since message n of the page; n is -1 while it moves.

const scope = /** @type {StageWindow} */ (window);
const page = window.parent;
/** Functions of the page. @type {Required<Boot>} */
const { Trouble, load, words } = /** @type {any} */ (page).boot;
export {}; // makes this a module for the type checker

// Ebiten's canvas has no focus outline, which keyboard users need.
const ring = new CSSStyleSheet();
ring.replaceSync('canvas:focus-visible { outline: 2px solid #2f81e0 !important; outline-offset: -2px; }');
document.adoptedStyleSheets = [ring];

/** @param {object} m */
const post = (m) => page.postMessage(m, '/');

let failed = false;
/** Reports, once, that there will be no picture. @param {string} text */
function fail(text) {
  if (!failed) post({ t: 'error', text });
  failed = true;
}

let newest = 0; // number of the last message of the page that Go has received
let calm = false; // the page was told that the picture is still
/** Tells the page that the picture is about to change. */
const stir = () => {
  if (calm) post({ t: 'rest', n: -1 });
  calm = false;
};

/** Passes a message of the page to Go. Bytes are wrapped in an array of this window, which Go requires.
 * @param {StageMessage} m */
scope.deliver = (m) => {
  newest = m.n ?? newest;
  if (m.t === 'video') return record();
  if (m.t === 'state') spare = m.lanes ? navigator.hardwareConcurrency - m.lanes : 2;
  try {
    scope.onLab?.(m.data ? { ...m, data: new Uint8Array(m.data) } : m);
  } catch (e) { // the program has ended
    fail(`${words('lostpicture')} (${e})`);
  }
};

// Ebiten would prevent the default action of every key, also of Tab and of shortcuts of the browser, so it gets no key
// events. A key goes to the scene if it uses it, otherwise to the page.
addEventListener('keydown', (e) => {
  e.stopImmediatePropagation();
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  stir();
  if (scope.onLab?.({ t: 'key', key: e.key })) return e.preventDefault();
  if (!/^([ ?rn1-9]|Arrow(Left|Right|Up|Down)|Page(Up|Down)|Home|End|Escape)$/i.test(e.key)) return;
  e.preventDefault();
  post({ t: 'key', key: e.key });
}, { capture: true });
// The wheel and touch scroll the page, unless the touch began on something that can be dragged.
let grabbed = false;
for (const name of ['keyup', 'keypress', 'wheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel']) {
  addEventListener(name, (e) => {
    e.stopImmediatePropagation();
    if (grabbed && name === 'touchstart') e.preventDefault();
  }, { capture: true, passive: name !== 'touchstart' });
}

// The pointer: Go draws the value under it and sends it to the page as text. Touch works by tapping.
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

// Ebiten requests every refresh of the screen. If WebGL is emulated in software, painting uses all processors and delays
// the lanes, so refreshes are made rare. Input of the viewer is painted at once, and for 0.1 s after it every refresh is
// painted if a processor is free.
let [software, spare, active] = [false, 2, 0]; // spare: number of processors without a lane
const [late, next] = [/** @type {FrameRequestCallback[]} */ ([]), requestAnimationFrame.bind(window)];
window.requestAnimationFrame = (f) => (software && spare < 2 && Date.now() > active ? late.push(f) : next(f));
const release = () => late.splice(0).forEach((f) => next(f));
scope.labRefresh = () => (active = spare > 0 ? Date.now() + 100 : 0, release());
setInterval(release, 500), setInterval(() => spare > 0 && release(), 200);

/** Encodes pixels as a PNG. The drawing buffer of WebGL cannot be read at this point.
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

/** Records a video of six seconds while the canvas replays the run. */
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

// Ebiten reads the pixel ratio only at its start, so a new ratio (zoom, another screen) needs a reload. The page takes
// the frames back before and sends them again.
const ratio = devicePixelRatio;
const checkRatio = () => { if (devicePixelRatio !== ratio) location.reload(); };
matchMedia(`(resolution: ${ratio}dppx)`).addEventListener('change', checkRatio);
addEventListener('resize', () => {
  checkRatio();
  stir();
  scope.onLab?.({ t: 'rest' }); // reported once the new size is painted
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
