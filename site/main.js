// The page: creates and ends workers, passes frames to the picture and markup to view.js. Controller and lanes
// exchange messages over their own channels. All decisions about the experiment and what to show are made in Go.
import { alone, file, given, site } from './alone.js';
import { watchDrops } from './drops.js';
import { copied, framed, save } from './export.js';
import { Files } from './files.js';
import { Hero } from './hero.js';
import { watchGuesses } from './guess.js';
import { watchKeys } from './keys.js';
import { Trouble, bring, keepOffline, language, load, reload, words, wordsOf, workerCount } from './load.js';
import { Notes, watchSwipes } from './lecture.js';
import { Picture } from './picture.js';
import { $, hold, isNews, paint, release } from './view.js';

/** Seconds without a message after which the controller is restarted, on a device of usual speed; its first message may
 * take longer. They are counted by a timer of the page, so that sleep and hidden tabs do not count. */
const SILENCE = 5;
const SILENCE_AT_START = 30;
/** Seconds in which a lane starts on a device of usual speed. All timeouts scale with the measured time. */
const USUAL_START = 0.15;
const SLOWEST = 20;
/** The controller is not restarted after this many failures in a row, each within a minute of its start. */
const MAX_FAILURES = 3;

if (file.link && !location.hash) history.replaceState(null, '', file.link);

/** @type {Promise<WebAssembly.Module>} */ let program;
/** @type {Record<string, Promise<WebAssembly.Module>>} */ const separatePrograms = {}; // programs loaded on demand
/** @type {Record<string, Worker>} */ const helpers = {}; // the newest worker of each program
let script = ''; // URL of the verified worker.js
/** @type {Worker | null} */ let controller = null;
/** @type {Map<number, Worker>} */ const lanes = new Map();
/** @type {View | null} */ let view = null;
let link = ''; // last written to the address bar
let entry = 0; // number of the history entry, counted by the controller
let linkEvent = 0; // number of the event that sent the controller a new address
/** @type {object[]} */ const earlyEvents = []; // events before the controller started
let stopped = false; // no further restart: the page shows the reason
let events = 0;
let hasAnswered = false; // the controller has sent a message
let silence = 0; // seconds since the controller's last message, or since its program had loaded
let uptime = 0; // seconds since the controller started
let failures = 0; // failures in a row, each within a minute of the controller's start
let slowness = 0; // how many times slower than a usual device, 0 if unknown
/** @type {{name: string, head: string, foot: string}} */ let frameTexts; // name, header and footer of the picture being saved
/** @type {ReturnType<typeof setTimeout> | undefined} */ let pictureTimer;

const dark = matchMedia('(prefers-color-scheme: dark)');
const still = matchMedia('(prefers-reduced-motion: reduce)');
const files = new Files({ send, idleChanged: showRest, tell: (m, data = []) => {
  controller?.postMessage({ n: events + 1, ...m }, data);
  return ++events;
} });
const workers = workerCount((asked) => send({ name: 'notice', key: 'workers', value: asked }));
const picture = new Picture($('stage'), {
  tell: (state, why) => {
    if (state === 'ready') tellParent('drawn', {});
    send({ name: 'picture', value: state, key: why });
  },
  keep: async (data, t) => (t === 'card' ? controller?.postMessage({ t, data })
    : !data ? send({ name: 'notice', key: t === 'video' ? 'nofilm' : 'nopicture' })
    : save(frameTexts.name, t === 'svg' ? 'image/svg+xml' : '', t === 'picture' ? await framed(frameTexts.head, data, frameTexts.foot) : data)),
  read: (text, aloud) => Object.assign($('reads'), { ariaLive: aloud ? 'polite' : 'off', textContent: text }),
  drawn: (text) => send({ name: 'draw', value: text }),
  moved: () => showRest(),
});
const hero = new Hero((clamp) => send({ name: 'stroke', value: clamp }), () => showRest());

// ---- the controller and its lanes

/** Starts a worker once the program has loaded. message returns the role of the worker and its data.
 * @param {Worker} w @param {() => object} message */
const begin = (w, message) => program.then(
  (module) => w.postMessage({ t: 'start', module, workers, ...message() }), () => {});

function startController() {
  const w = new Worker(script, { name: 'controller' });
  controller = w;
  hasAnswered = false;
  [uptime, entry, linkEvent, slowness, silence] = [0, 0, 0, 0, -Infinity];
  w.onmessage = (e) => { if (controller === w) fromController(e.data); };
  w.onerror = (e) => { if (controller === w) lostController(e.message || 'worker.js'); };
  const pageLanguage = language();
  const rooms = $('rooms') && navigator.cookieEnabled;
  wordsOf(pageLanguage).then((translations) => begin(w, () => {
    silence = 0;
    return { role: 'controller', page: { speaks: pageLanguage, words: translations, hash: location.hash,
      base: file.lab ?? location.origin + location.pathname, alone: !!file.lab, given, query: location.search, site, run: picture.run,
      language: navigator.language, dark: dark.matches, still: still.matches, rooms: !!$('rooms'),
      kept: rooms ? localStorage.getItem('room') : '',
      // A random name of this tab, by which a room recognises it after a reload.
      machine: rooms && (sessionStorage.machine ||= crypto.getRandomValues(new Uint8Array(16)).join('.')) } };
  }));
  for (let id = 1; id <= workers; id++) spawn(id); // the controller will ask for these first
  send({ name: 'picture', value: picture.state });
  if (document.hidden) send({ name: 'visibility', hidden: true });
  files.resend(location.hash).then((refused) => {
    if (controller !== w) return;
    for (const m of earlyEvents.splice(0)) w.postMessage(m);
    for (const { name } of refused) send({ name: 'notice', key: 'fatal', value: name });
  });
}

/** Handles a message of the controller. @param {any} m */
function fromController(m) {
  hasAnswered = true;
  silence = 0;
  switch (m.t) {
    case 'view': return show(JSON.parse(m.json));
    case 'spawn': return (lanes.get(m.id) ?? spawn(m.id)).postMessage({ t: 'controller', port: m.port }, [m.port]);
    case 'kill': return kill(m.id);
    case 'frame': return picture.frame(m);
    case 'reset': return picture.reset(m.run, m.on);
    case 'dreams': return hero.takeFrame(m.data);
    case 'order': return void order(m);
    case 'sort': return files.distribute(m.n, m.list, m.parts);
    case 'copy':
      return void copied(m.text).then((ok) => send(ok ? { name: 'copied' } : { name: 'not-copied', value: m.text }));
    case 'download': return save(m.name, m.kind, m.text);
    case 'alone':
      return void alone(m.about, m.files).then((data) => save(m.name, 'text/html', data),
        (e) => send({ name: 'notice', key: 'unsaved', value: e.message }));
    case 'keep': return localStorage.setItem('room', m.text);
    case 'words':
      return void wordsOf(m.lang).then((data) => controller?.postMessage({ t: 'words', lang: m.lang, data }));
    case 'look': return controller?.postMessage({ t: 'look', frames: picture.newestFrames().map((f) => f.data) });
    case 'parent': return tellParent(m.kind, m.kind === 'result' ? { results: JSON.parse(m.text) } : { text: m.text });
    case 'gone': return lostController(m.why);
    case 'picture':
      if (hero.isShown) return void hero.card().then((data) => controller?.postMessage({ t: 'card', data }));
      return picture.requestImage((frameTexts = m).show);
  }
}

/** Starts a lane worker. A later message brings the channel between the worker and the controller. @param {number} id */
function spawn(id) {
  const w = new Worker(script, { name: `lane ${id}` });
  lanes.set(id, w);
  w.onmessage = (e) => { if (lanes.get(id) === w) fromLane(id, e.data); };
  w.onerror = (e) => { if (lanes.get(id) === w) lostLane(id, e.message || 'worker error'); };
  begin(w, () => ({ role: 'lane' }));
  return w;
}

/** Sends an order to the worker of a separate program (compiler, external). The worker is kept if on is true, otherwise
 * it is replaced by a new one; without data it is only ended.
 * @param {{role: string, on: boolean, data?: ArrayBuffer}} m */
async function order({ role, on, data }) {
  const existing = on && helpers[role];
  if (!existing) helpers[role]?.terminate();
  if (!data) return;
  const w = helpers[role] = existing || new Worker(script, { name: role });
  /** @param {unknown} why @param {string} [key] */
  const fails = (why, key) => { if (helpers[role] === w) send({ name: `lost-${role}`, key, value: String(why) }); };
  w.onerror = (e) => fails(e.message);
  w.onmessage = ({ data: m }) => {
    if (m.t !== 'answer') return fails(m.why);
    if (helpers[role] === w) controller?.postMessage({ t: 'answer', role, data: m.data });
    if (role === 'external') return;
    if (m.tape) files.offer([new File([m.tape], m.name)]);
    w.terminate();
  };
  const samples = files.samples.splice(0);
  try {
    const module = await (separatePrograms[role] ??= load(`${role}.wasm.gz`, () => {}));
    if (!existing) w.postMessage({ t: 'start', role, module });
    w.postMessage({ t: 'order', data, files: samples }, [data]);
  } catch (e) {
    delete separatePrograms[role];
    fails(/** @type {Error} */ (e).message, 'load');
  }
}

/** Ends a lane. @param {number} id */
function kill(id) {
  lanes.get(id)?.terminate();
  lanes.delete(id);
}

/** Handles a message of a lane. @param {number} id @param {any} m */
function fromLane(id, m) {
  if (m.t === 'frame') {
    const w = lanes.get(id);
    if (hero.isShown && m.run >= picture.run && /\/0@/.test(m.part)) controller?.postMessage({ t: 'look', frames: [m.data] });
    picture.frame(m, () => w?.postMessage({ t: 'ack' }));
  } else if (m.t === 'ready') {
    slowness = Math.min(slowness || SLOWEST, Math.max(1, m.took / USUAL_START));
    controller?.postMessage({ t: 'ready', id, took: m.took });
  } else if (m.t === 'gone') lostLane(id, m.why);
}

/** Ends a lane that failed, and tells the controller why. @param {number} id @param {string} why */
function lostLane(id, why) {
  kill(id);
  controller?.postMessage({ t: 'gone', id, why });
}

/** Ends all workers and, unless this has happened too often, starts again from the link. @param {string} why */
function lostController(why) {
  controller?.terminate();
  controller = null;
  for (const id of [...lanes.keys()]) kill(id);
  picture.reset(picture.run + 1);
  console.info('The computation stopped:', why);
  const [reason, memory] = [String(why).slice(0, 200), /memory|RangeError/i.test(why)];
  failures = uptime < 60 ? failures + 1 : 1;
  if (!view && (memory || failures > 1)) return stop(words(memory ? 'nomemory' : 'nostart', reason));
  if (failures >= MAX_FAILURES) return stop(memory ? words('nomemory', reason) : words('often', failures, reason, location.hash));
  files.noteEnd();
  release(); // the ended controller will not answer its pending events
  send({ name: 'notice', key: 'brain' });
  startController();
}

setInterval(() => {
  if (!controller) return;
  uptime++;
  if (++silence > (slowness || 1) * (hasAnswered ? SILENCE : SILENCE_AT_START)) return lostController('no answer');
  controller.postMessage({ t: 'ping' });
}, 1000);

// ---- from the controller to the page

/** Sets data-rest on the root element if the page is at rest: all events are answered, the picture is painted and no
 * animation runs. Browser tests wait for it. */
function showRest() {
  const answered = !!view?.rest && Math.max(view.seen, view.filed) >= events && !earlyEvents.length;
  const still = stopped || !!controller && answered && !files.reading && (hero.isShown ? hero.still() : picture.still());
  const animations = still ? document.getAnimations().filter((animation) => animation.playState === 'running') : [];
  document.documentElement.toggleAttribute('data-rest', still && !animations.length);
  if (animations.length) Promise.allSettled(animations.map((animation) => animation.finished)).then(showRest);
}

/** Shows a view of the controller. @param {View} next */
function show(next) {
  view = next;
  writeLink(next);
  files.noteView(view);
  hero.show(view.hero && view.seen >= linkEvent);
  document.documentElement.dataset.theme = view.theme;
  picture.sendSettings(view.stage); // it reads a computed style, so it runs before painting
  notes.paint(view.parts.notes);
  delete view.parts.notes;
  paint(view);
  // Numbers first: the picture loads after the first number, or after a short while.
  if (!view.hero && view.numbers) startPicture(); // the hero paints its own picture
  else if (!view.hero) pictureTimer ??= setTimeout(startPicture, 1500);
  showRest();
}

/** Writes the view's link into the address bar. An experiment that follows a finished run gets a new history entry. @param {View} next */
function writeLink(next) {
  if (next.seen < linkEvent || !next.link || next.link === link) return;
  try {
    if (next.link !== location.hash) history[next.entry > entry ? 'pushState' : 'replaceState'](null, '', next.link);
    link = next.link;
    entry = next.entry;
  } catch { /* browsers refuse too many in a short time; the next view tries again */ }
}

const startPicture = () => { if (picture.state === 'none' && !stopped) picture.loadStage(); };

/** Stops the page for good and shows why. @param {string} text */
function stop(text) {
  stopped = true;
  controller = null;
  for (const el of document.querySelectorAll('.transport button, #share')) el.toggleAttribute('disabled', true);
  document.documentElement.dataset.state = 'failed';
  showProgress(words('stopped'));
  reload($('message'), Object.assign(document.createElement('p'), { textContent: text }));
  $('message').hidden = false;
  if (picture.state === 'none') $('veil').textContent = `${words('nothing')}. ${words('above')}`;
  tellParent('error', { text });
  showRest();
}

/** Shows the progress of loading. @param {string} text */
function showProgress(text) {
  for (const el of [$('eta'), $('bytes')]) if (el) el.textContent = text;
}

/** Sends a message to the page that embeds this one, if any. @param {string} kind @param {object} more */
function tellParent(kind, more) {
  if (window.parent !== window) window.parent.postMessage({ logz: kind, link: location.href, ...more }, '*');
}

// ---- from the user to the controller

/** Sends an event to the controller, or keeps it until the controller starts. @param {{[more: string]: unknown}} event */
function send(event) {
  const m = { t: 'event', n: ++events, ...event };
  if (controller) controller.postMessage(m);
  else if (!stopped) earlyEvents.push(m);
  showRest();
}

/** Sends the value of a control if it differs from the last one sent; Enter also runs the experiment. @param {any} el */
function sendValue(el, enter = false) {
  if (!el?.matches?.('input:not([type=file]), select, textarea') || !enter && !isNews(el)) return;
  const { value, dataset } = el;
  if (el.name === 'method') send({ name: 'method', value, on: el.checked });
  else if (dataset.show) send({ name: 'show', value: dataset.show, on: el.checked });
  else if (dataset.slide) send({ name: 'slide', key: dataset.slide, value, enter });
  else if (dataset.param || el.id) send({ name: dataset.param ? 'param' : el.id, key: dataset.param, value, enter });
  hold(el, events);
}

document.addEventListener('change', (e) => {
  const { target } = e;
  // A slider was released.
  if (target !== $('file')) return sendValue(target, target instanceof HTMLElement && 'slide' in target.dataset);
  files.choose($('file').files);
  $('file').value = ''; // so that the same file can be chosen again
});
document.addEventListener('input', (e) =>
  /^(range|textarea|search)$/.test(/** @type {any} */ (e.target).type) && sendValue(e.target));
document.addEventListener('focusout', () => setTimeout(() => { if (view) paint(view, true); }, 0));

/** Events that the page handles without the controller. @type {Record<string, () => void>} */
const localEvents = { file: () => $('file').click(), notes: () => notes.open(), print, 'picture-again': () => picture.loadStage(),
  update: async () => (await navigator.serviceWorker.getRegistration())?.waiting?.postMessage('go') };

document.addEventListener('click', (e) => {
  // A click on the backdrop of a sheet closes it.
  if (e.target === $('sheet') && $('sheet').matches(':modal')) return send({ name: 'sheet', value: '' });
  const b = e.target instanceof Element ? e.target.closest('button') : null;
  if (!b || stopped) return;
  const handle = b.dataset.event && localEvents[b.dataset.event];
  if (handle) return handle();
  const name = b.dataset.event || (b.dataset.scene ? 'scene' : b.id);
  if (!name) return;
  sendValue(document.activeElement); // a click by a script does not send an edited field
  send({ name, value: b.dataset.scene ?? b.dataset.value });
});
$('sheet').addEventListener('cancel', (/** @type {Event} */ e) => {
  e.preventDefault();
  send({ name: 'sheet', value: '' });
});

const sendKey = (/** @type {string} */ key) =>
  (view?.deck && /^n$/i.test(key) ? notes.open() : send({ name: 'key', value: key }));
const notes = new Notes(send, watchKeys(() => view, picture, sendValue, sendKey));
addEventListener('message', (e) => {
  if (picture.isFromStage(e) && e.data?.t === 'key') sendKey(e.data.key);
});
/** Turns the steps of a lecture. @param {string} target */
const turn = (target) => { if (view?.deck && !$('sheet').open) send({ name: 'turn', value: target }); };
watchSwipes(window, turn, (e) => !(/** @type {Element} */ (e.target).matches('input')));
addEventListener('resize', () => { if (view) picture.sendSettings(view.stage); }); // the size of type depends on the window

addEventListener('hashchange', () => { // also by Back and Forward
  hero.show(!location.hash && hero.isShown);
  if (!controller) return; // it will start with the current address
  link = '';
  send({ name: 'link', value: location.hash });
  linkEvent = events;
});
document.addEventListener('visibilitychange', () => send({ name: 'visibility', hidden: document.hidden }));
dark.addEventListener('change', () => send({ name: 'system', key: 'dark', on: dark.matches }));
still.addEventListener('change', () => send({ name: 'system', key: 'still', on: still.matches }));

watchGuesses(document);

const choose = (/** @type {Iterable<File>} */ selection) => files.choose(selection);
watchDrops(window, choose);
$('stage').addEventListener('load', () => {
  if (!$('stage').contentDocument) return;
  watchDrops($('stage').contentWindow, choose);
  // The lower part of the picture has a handle that can be dragged by touch.
  watchSwipes($('stage').contentWindow, turn, (e) => e.clientY < .6 * $('stage').clientHeight);
});

// ---- start

if (!$('boot').dataset.level) $('boot').remove();
document.documentElement.dataset.theme ||= dark.matches ? 'dark' : 'light';
const startTime = performance.now();
/** @param {string} text */
const showProgressIfSlow = (text) => { if (!stopped && performance.now() - startTime > 1000) showProgress(text); };
wordsOf(language());
program = load('logz.wasm.gz', (text) => showProgressIfSlow(`${words('download')}, ${text}`), () => {
  const model = location.hash.match(/\bmodel=([\w-]+)/)?.[1] ?? '';
  const names = JSON.parse($('models').textContent)[model] ?? [];
  controller?.postMessage({ t: 'ahead', files: names.map((/** @type {string} */ name) => `${site}models/${name}`)
    .filter((/** @type {string} */ url) => !given[url]) });
});
Promise.all([bring('worker.js').then((code) => {
  script = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  startController();
}), program.then(() => showProgressIfSlow(words('start')))])
  .catch((e) => stop(e instanceof Trouble ? e.message : words('crashed', e)));
// Once the page is shown, it is stored for use without a network. Over plain http, or if storage is refused, the page
// works without that.
setTimeout(() => keepOffline(() => send({ name: 'notice', key: 'update' })).catch(() => {}), 4000);
