// Fetches and compiles the Go programs, and keeps the page.

/** @type {Boot} */ const boot = /** @type {any} */ (window).boot;
export const { Trouble, bring, inside, language, reload, words } = boot;

/** Compiles a program, in Chromium while it comes: in Firefox a page that is left then blocks a thread for good, and
 * after a few nothing compiles. @param {Response} plain */
function compile(plain) {
  const module = /Chrome\//.test(navigator.userAgent) ? WebAssembly.compileStreaming(plain)
    : plain.arrayBuffer().then((data) => WebAssembly.compile(data));
  module.catch(() => {}); // who waits for it will know
  return module;
}

/** Fetches the program at url, verifies and compiles it once; the module is then shared by all workers.
 * @param {string} url @param {(text: string) => void} onBytes says how far it is: 1.2 of 3.1 MB
 * @param {() => void} [onCome] when all of it has come @returns {Promise<WebAssembly.Module>} */
export async function load(url, onBytes, onCome) {
  if (typeof WebAssembly !== 'object') throw new Trouble(words('nowasm'));
  if (typeof DecompressionStream !== 'function') throw new Trouble(words('nounzip'));
  /** @type {Promise<WebAssembly.Module> | undefined} */ let module;
  await bring(url, async (answer) => {
    const got = await read(answer, onBytes);
    onCome?.();
    module = got.module; // while it is verified
    return got.packed;
  });
  try {
    return /** @type {WebAssembly.Module} */ (await module);
  } catch (e) {
    throw new Trouble(e instanceof RangeError ? words('memory', url, e.message) : words('crashed', e));
  }
}

boot.load = load; // the stage has it from its page

/** Reads a program, and unpacks it while it comes. @param {Response} answer @param {(text: string) => void} onBytes */
async function read(answer, onBytes) {
  const total = Number(answer.headers.get('Content-Length')) || 0;
  const mb = (/** @type {number} */ x) => (x / 1e6).toFixed(1);
  const wasm = { headers: { 'Content-Type': 'application/wasm' } };
  const chunks = [];
  let [n, said] = [0, 0];
  let into, module;
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (answer.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // Some servers declare Content-Encoding: gzip; then the browser has unpacked it.
    if (!n && value[0] === 0x1f) {
      const unzip = new DecompressionStream('gzip');
      into = unzip.writable.getWriter();
      module = compile(new Response(unzip.readable, wasm));
    }
    n += value.byteLength;
    chunks.push(value);
    into?.write(value).catch(() => {});
    if (performance.now() - said > 100) {
      said = performance.now();
      // A total that is exceeded is that of a packed transfer, and means nothing here.
      onBytes(total >= n ? words('bytes', mb(n), mb(total)) : words('some', mb(n)));
    }
  }
  into?.close().catch(() => {});
  const packed = new Blob(chunks);
  return { packed, module: module ?? compile(new Response(packed, wasm)) };
}

/** Catalogues of words by language, as they come. @type {Map<string, Promise<ArrayBuffer | null>>} */
const catalogues = new Map();

/** The words of a language; null if they cannot be had, or are in the program. @param {string} lang */
export function wordsOf(lang) {
  const came = catalogues.get(lang) ?? (lang === 'en' ? Promise.resolve(null) : bring(`words/${lang}.po.gz`)
    .then((data) => data.arrayBuffer()).catch(() => {
      catalogues.delete(lang); // it may be there when it is asked for again
      return null;
    }));
  catalogues.set(lang, came);
  return came;
}

/** How many lanes: ?workers=N, 1 to 8, else one less than the cores.
 * @param {(asked: string) => void} refuse hears of another N */
export function workerCount(refuse) {
  const asked = new URLSearchParams(location.search).get('workers');
  if (asked && /^[1-8]$/.test(asked)) return Number(asked);
  if (asked !== null) refuse(asked);
  return Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));
}

/** Keeps the page for use without a network, by sw.js. @param {() => void} offerUpdate says that a new version waits */
export async function keepOffline(offerUpdate) {
  const kept = await navigator.serviceWorker.register('sw.js');
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  const offer = () => { if (kept.waiting && navigator.serviceWorker.controller) offerUpdate(); };
  offer();
  kept.addEventListener('updatefound', () => kept.installing?.addEventListener('statechange', offer));
}
