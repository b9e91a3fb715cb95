// Fetches and compiles the Go programs, and stores the page for use without a network.

/** @type {Boot} */ const boot = /** @type {any} */ (window).boot;
export const { Trouble, bring, inside, language, reload, words } = boot;

/** Compiles a program; only in Chromium while it is still loading. In Firefox, leaving the page during streaming
 * compilation blocks a thread for good, and after a few such threads nothing compiles.
 * @param {Response} wasm the program, not compressed */
function compile(wasm) {
  const module = /Chrome\//.test(navigator.userAgent) ? WebAssembly.compileStreaming(wasm)
    : wasm.arrayBuffer().then((data) => WebAssembly.compile(data));
  module.catch(() => {}); // the error is reported to whoever awaits the module
  return module;
}

/** Fetches the program at url, verifies and compiles it once; the module is then shared by all workers.
 * @param {string} url @param {(text: string) => void} onBytes receives the progress, such as "1.2 of 3.1 MB"
 * @param {() => void} [onLoaded] is called when the file has loaded, before it is verified @returns {Promise<WebAssembly.Module>} */
export async function load(url, onBytes, onLoaded) {
  if (typeof WebAssembly !== 'object') throw new Trouble(words('nowasm'));
  if (typeof DecompressionStream !== 'function') throw new Trouble(words('nounzip'));
  /** @type {Promise<WebAssembly.Module> | undefined} */ let module;
  await bring(url, async (answer) => {
    const received = await read(answer, onBytes);
    onLoaded?.();
    module = received.module; // compilation runs while the hash is verified
    return received.packed;
  });
  try {
    return /** @type {WebAssembly.Module} */ (await module);
  } catch (e) {
    throw new Trouble(e instanceof RangeError ? words('memory', url, e.message) : words('crashed', e));
  }
}

boot.load = load; // for the stage

/** Reads a program and unpacks it while it is loading. @param {Response} answer @param {(text: string) => void} onBytes */
async function read(answer, onBytes) {
  const total = Number(answer.headers.get('Content-Length')) || 0;
  const mb = (/** @type {number} */ x) => (x / 1e6).toFixed(1);
  const wasm = { headers: { 'Content-Type': 'application/wasm' } };
  const chunks = [];
  let [n, reportTime] = [0, 0]; // bytes so far; time of the last report of progress
  let gzipInput, module;
  const reader = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (answer.body).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A gzip file begins with 1f. If the server sends Content-Encoding: gzip, the browser has unpacked the file
    // already.
    if (!n && value[0] === 0x1f) {
      const unzip = new DecompressionStream('gzip');
      gzipInput = unzip.writable.getWriter();
      module = compile(new Response(unzip.readable, wasm));
    }
    n += value.byteLength;
    chunks.push(value);
    gzipInput?.write(value).catch(() => {});
    if (performance.now() - reportTime > 100) {
      reportTime = performance.now();
      // A total that is exceeded is the size of the compressed transfer, which is not comparable.
      onBytes(total >= n ? words('bytes', mb(n), mb(total)) : words('some', mb(n)));
    }
  }
  gzipInput?.close().catch(() => {});
  const packed = new Blob(chunks);
  return { packed, module: module ?? compile(new Response(packed, wasm)) };
}

/** Translations by language, being loaded. @type {Map<string, Promise<ArrayBuffer | null>>} */
const catalogues = new Map();

/** Loads the translation of a language; null if it cannot be loaded, or is part of the program (English). @param {string} lang */
export function wordsOf(lang) {
  const loading = catalogues.get(lang) ?? (lang === 'en' ? Promise.resolve(null) : bring(`words/${lang}.po.gz`)
    .then((data) => data.arrayBuffer()).catch(() => {
      catalogues.delete(lang); // a later attempt may succeed
      return null;
    }));
  catalogues.set(lang, loading);
  return loading;
}

/** Returns the number of lane workers: ?workers=N, 1 to 8, by default one less than the number of cores.
 * @param {(value: string) => void} reportInvalid is called with an invalid N */
export function workerCount(reportInvalid) {
  const asked = new URLSearchParams(location.search).get('workers');
  if (asked && /^[1-8]$/.test(asked)) return Number(asked);
  if (asked !== null) reportInvalid(asked);
  return Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));
}

/** Stores the page for use without a network, by sw.js. @param {() => void} offerUpdate called if a new version waits */
export async function keepOffline(offerUpdate) {
  const registration = await navigator.serviceWorker.register('sw.js');
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  const offer = () => { if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(); };
  offer();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', offer));
}
