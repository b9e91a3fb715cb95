// The page: creates and ends workers, routes messages between the brain, the
// lanes and the picture, and hands the brain's views to view.js. It holds no
// logic of the experiment; everything it shows was decided in Go.
import { Trouble, load } from './load.js';
import { Picture } from './picture.js';
import { $, hold, isNews, paint, paintMessage, paintProgress, release } from './view.js';

/** @typedef {import('./view.js').View} View @typedef {import('./view.js').Message} Message */

/** Seconds of silence after which the brain is given up; before its first word it may take longer. */
const SILENCE = 5;
const SILENCE_AT_START = 30;
/** Brains that die this often in a row, each before a healthy minute, are not started again. */
const LIVES = 3;
const BIGGEST_FILE = 256 * 1024 * 1024;

/** @type {WebAssembly.Module | null} */
let program = null;
/** @type {Worker | null} */
let brain = null;
/** @type {Map<number, Worker>} */
const lanes = new Map();
/** @type {View | null} */
let view = null;
let viewText = '';
let link = ''; // as last written to the address bar
/** What the page itself has to say; the brain's own message goes first. @type {Message | null} */
let notice = null;
let dead = false;
/** The user's own model, sent again to a new brain. @type {File | null} */
let ownFile = null;
let events = 0;
let heard = false; // the brain has said something
let silent = 0; // seconds since the brain's last word
let healthy = 0; // seconds since it was started
let deaths = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

const workers = workerCount();
const picture = new Picture($('stage'), $('veil'), (id) => {
  if (id !== 'brain') lanes.get(id)?.postMessage({ t: 'ack' });
});

/** ?workers=N, 1 to 8, else one less than the cores. */
function workerCount() {
  const asked = new URLSearchParams(location.search).get('workers');
  const usual = Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));
  if (asked === null) return usual;
  if (/^[1-8]$/.test(asked)) return Number(asked);
  notice = { level: 'warn', text: `The address asks for workers=${asked}; it must be a whole number from 1 to 8. Using ${usual}.` };
  return usual;
}

// ---- the brain and its lanes

function startBrain() {
  const w = new Worker('worker.js', { name: 'brain' });
  brain = w;
  heard = false;
  silent = healthy = 0;
  release(); // it will not answer what an earlier one was asked
  w.onmessage = (e) => { if (brain === w) fromBrain(e.data); };
  w.onerror = (e) => { if (brain === w) lostBrain(e.message || 'worker.js or wasm_exec.js could not be loaded'); };
  w.postMessage({ t: 'start', role: 'brain', id: 0, module: program, hash: location.hash, workers });
  if (document.hidden) send({ name: 'visibility', hidden: true });
  if (ownFile && location.hash.includes('model=file:')) sendFile(ownFile);
}

/** @param {any} m */
function fromBrain(m) {
  heard = true;
  silent = 0;
  switch (m.t) {
    case 'view': return show(m.json);
    case 'spawn': return spawn(m.id);
    case 'kill': return kill(m.id);
    case 'post': return lanes.get(m.id)?.postMessage({ t: 'data', data: m.data }, [m.data]);
    case 'frame': return picture.frame('brain', m.data);
    case 'reset': return picture.reset();
    case 'copy': return copy(m.text);
    case 'gone': return lostBrain(m.why);
  }
}

/** @param {number} id */
function spawn(id) {
  kill(id);
  const w = new Worker('worker.js', { name: `lane ${id}` });
  lanes.set(id, w);
  w.onmessage = (e) => { if (lanes.get(id) === w) fromLane(id, e.data); };
  w.onerror = (e) => { if (lanes.get(id) === w) lostLane(id, e.message || 'worker error'); };
  w.postMessage({ t: 'start', role: 'lane', id, module: program, hash: location.hash, workers });
}

/** @param {number} id */
function kill(id) {
  lanes.get(id)?.terminate();
  lanes.delete(id);
  picture.forget(id);
}

/** @param {number} id @param {any} m */
function fromLane(id, m) {
  if (m.t === 'data') brain?.postMessage({ t: 'from', id, data: m.data }, [m.data]);
  else if (m.t === 'frame') picture.frame(id, m.data);
  else if (m.t === 'ready') brain?.postMessage({ t: 'ready', id });
  else if (m.t === 'gone') lostLane(id, m.why);
}

/** @param {number} id @param {string} why */
function lostLane(id, why) {
  kill(id);
  brain?.postMessage({ t: 'gone', id, why });
}

/** Ends everything and, unless this keeps happening, starts again from the link. @param {string} why */
function lostBrain(why) {
  brain?.terminate();
  brain = null;
  for (const id of [...lanes.keys()]) kill(id);
  picture.reset();
  console.info('The calculation stopped:', why);
  const reason = String(why).slice(0, 200);
  if (!view) return stop(`The calculation could not start (${reason}). Reload the page; if that does not help, check that the server has worker.js and wasm_exec.js.`);
  deaths = healthy < 60 ? deaths + 1 : 1;
  if (deaths >= LIVES) {
    return stop(`The calculation stopped ${deaths} times and was not started again (${reason}). Reload the page, or choose a smaller model.`);
  }
  say('warn', 'The calculation stopped and was started again from its link. The digits are the same.');
  startBrain();
}

setInterval(() => {
  if (!brain) return;
  healthy++;
  if (++silent > (heard ? SILENCE : SILENCE_AT_START)) return lostBrain('no answer');
  brain.postMessage({ t: 'ping', n: healthy });
}, 1000);

// ---- from the view to the page

/** @param {string} json */
function show(json) {
  if (json === viewText) return;
  viewText = json;
  view = JSON.parse(json);
  repaint();
}

function repaint() {
  if (!view) return;
  if (view.link && view.link !== link) {
    link = view.link;
    if (link !== location.hash) history.replaceState(null, '', link);
  }
  paint(view);
  paintMessage(view.message ?? notice);
  picture.scene(view.scene);
  // Numbers first: the picture loads once there is one, or after a short while.
  if (view.rows.some((r) => r.cells.logz?.text)) startPicture();
  else if (!waiting) waiting = setTimeout(startPicture, 1500);
}

function startPicture() {
  if (picture.state === 'none' && !dead) picture.start();
}

/** @param {string} level @param {string} text */
function say(level, text) {
  notice = { level, text };
  paintMessage(view?.message ?? notice);
}

/** Says what ended the page's work, for good. @param {string} text */
function stop(text) {
  dead = true;
  brain = null;
  for (const el of document.querySelectorAll('.transport button:not(#to-setup), #share')) /** @type {HTMLButtonElement} */ (el).disabled = true;
  document.body.dataset.state = 'failed';
  paintProgress('Stopped');
  paintMessage({ level: 'error', text, action: { label: 'Reload', event: 'reload' } });
  if (picture.state === 'none') picture.say('Nothing has run', 'The message above says why.', false);
}

// ---- from the user to the brain

/** @param {{name: string, [more: string]: unknown}} event */
function send(event) {
  brain?.postMessage({ t: 'event', n: ++events, ...event });
  viewText = ''; // the answer is painted even if it equals the last view
  if (notice && event.name !== 'visibility') {
    notice = null;
    paintMessage(view?.message);
  }
}

/** Sends the value of a control, if the brain does not know it yet. @param {any} el */
function sendValue(el) {
  if (!el.matches?.('input:not([type=file]), select') || !isNews(el)) return;
  if (el.name === 'method') send({ name: 'method', value: el.value, on: el.checked });
  else if (el.dataset.param) send({ name: 'param', key: el.dataset.param, value: el.value });
  else if (el.id) send({ name: el.id, value: el.value });
  hold(el, events);
}

/** @param {File | undefined} file */
async function sendFile(file) {
  if (!file) return;
  if (file.size > BIGGEST_FILE) {
    return say('error', `${file.name} has ${Math.round(file.size / 1048576)} MB; a model file may have at most 256 MB. Choose a smaller file.`);
  }
  try {
    const data = await file.arrayBuffer();
    ownFile = file;
    brain?.postMessage({ t: 'file', name: file.name, data }, [data]);
    viewText = '';
  } catch {
    say('error', `${file.name} could not be read. Check that the file still exists and may be read, then choose it again.`);
  }
}

document.addEventListener('change', (e) => {
  if (e.target !== $('file')) return sendValue(e.target);
  sendFile($('file').files[0]);
  $('file').value = ''; // so that the same file can be chosen again
});
$('file').addEventListener('cancel', () => send({ name: 'file-cancel' }));
document.addEventListener('focusout', () => setTimeout(repaint, 0));

document.addEventListener('click', (e) => {
  const b = e.target instanceof Element ? e.target.closest('button') : null;
  if (!b) return;
  if (b.id === 'to-setup') return $('setup').scrollIntoView();
  if (b.dataset.event === 'reload') return location.reload();
  if (b.dataset.event === 'file') return $('file').click();
  const name = b.dataset.event || (b.dataset.scene ? 'scene' : b.id);
  if (!name) return;
  sendValue(document.activeElement); // a click by script leaves an edited field unsent
  send({ name, value: b.dataset.scene ?? b.dataset.value });
});

$('tabs').addEventListener('keydown', (/** @type {KeyboardEvent} */ e) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  const tabs = [...$('tabs').children];
  const next = way && tabs[tabs.indexOf(e.target) + way];
  if (next) {
    next.focus();
    next.click();
  }
});

addEventListener('hashchange', () => {
  link = '';
  send({ name: 'link', value: location.hash });
});
document.addEventListener('visibilitychange', () => send({ name: 'visibility', hidden: document.hidden }));

/** Takes files dropped on a window: the page, or the picture inside it. @param {Window} win */
function watchDrops(win) {
  /** @param {DragEvent} e @param {boolean} over */
  const drag = (e, over) => {
    if (!e.dataTransfer?.types.includes('Files')) return false;
    e.preventDefault();
    $('dropping').hidden = !over;
    return true;
  };
  win.addEventListener('dragenter', (e) => drag(e, true));
  win.addEventListener('dragover', (e) => drag(e, true));
  win.addEventListener('dragleave', (e) => { if (!e.relatedTarget) drag(e, false); });
  win.addEventListener('drop', (e) => { if (drag(e, false)) sendFile(e.dataTransfer?.files[0]); });
}
watchDrops(window);
$('stage').addEventListener('load', () => { if ($('stage').contentWindow) watchDrops($('stage').contentWindow); });

/** Copies a text; a link without a page gets the address of this page. @param {string} text */
async function copy(text) {
  const whole = text.startsWith('#') ? location.origin + location.pathname + text : text;
  try {
    await navigator.clipboard.writeText(whole);
    $('copied').textContent = 'Link copied';
    setTimeout(() => { $('copied').textContent = ''; }, 2500);
  } catch {
    say('info', `Copy this by hand: ${whole}`);
  }
}

// ---- start

$('boot').remove();
paintMessage(notice);
load('logz.wasm.gz', (done, total) => {
  if (!dead) paintProgress(total ? `Loading, ${Math.min(99, Math.round((100 * done) / total))} %` : `Loading, ${(done / 1e6).toFixed(1)} MB`);
}).then((module) => {
  program = module;
  startBrain();
}).catch((e) => stop(e instanceof Trouble ? e.message : `The program could not start (${e}). Reload the page.`));
