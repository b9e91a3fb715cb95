// Fetches and compiles the Go program, and says in plain words what went wrong.
import { words } from './words.js';

/** A failure in words for people: what happened, and what to do. */
export class Trouble extends Error {}

/**
 * Compiles the program at url once; the module is then shared by all workers.
 * @param {string} url
 * @param {(text: string) => void} onBytes says how far it is: 1.2 of 3.1 MB
 * @returns {Promise<WebAssembly.Module>}
 */
export async function load(url, onBytes) {
  if (typeof WebAssembly !== 'object') throw new Trouble(words('nowasm'));
  if (typeof DecompressionStream !== 'function') throw new Trouble(words('nounzip'));
  const response = await fetch(url).catch(() => null);
  if (!response) throw new Trouble(words(location.protocol === 'file:' ? 'file' : 'noanswer', url));
  if (!response.ok || !response.body) throw new Trouble(words('status', url, response.status));
  const total = Number(response.headers.get('Content-Length')) || 0;
  try {
    const { head, stream } = await peek(count(response.body, total, onBytes));
    if (head[0] === 0x1f && head[1] === 0x8b) {
      return await compile(stream.pipeThrough(new DecompressionStream('gzip')));
    }
    // Some servers declare Content-Encoding: gzip, and the browser has unpacked it.
    if (head[0] === 0 && head[1] === 0x61) return await compile(stream);
  } catch (e) {
    throw new Trouble(words(e instanceof RangeError ? 'memory' : 'damaged', url, e instanceof Error ? e.message : e));
  }
  throw new Trouble(words('else', url, response.headers.get('Content-Type') || '?'));
}

/**
 * Compiles what has come. compileStreaming would begin earlier, but in Firefox a page
 * that is left meanwhile blocks a thread for good, and after a few nothing compiles.
 * @param {ReadableStream<BufferSource>} stream
 */
async function compile(stream) {
  return WebAssembly.compile(await new Response(/** @type {any} */ (stream)).arrayBuffer());
}

/**
 * Reports how much has come, ten times a second at most. A total that is exceeded is
 * that of a packed transfer, and means nothing here.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} total 0 when unknown
 * @param {(text: string) => void} report
 */
function count(stream, total, report) {
  let n = 0;
  let last = 0;
  const mb = (/** @type {number} */ x) => (x / 1e6).toFixed(1);
  return stream.pipeThrough(new TransformStream({
    transform(chunk, out) {
      n += chunk.byteLength;
      if (performance.now() - last > 100) {
        last = performance.now();
        report(total >= n ? words('bytes', mb(n), mb(total)) : words('some', mb(n)));
      }
      out.enqueue(chunk);
    },
  }));
}

/**
 * Reads the first bytes and gives them back together with the whole stream.
 * @param {ReadableStream<Uint8Array>} stream
 */
async function peek(stream) {
  const reader = stream.getReader();
  /** @type {Uint8Array[]} */
  const first = [];
  let size = 0;
  while (size < 2) {
    const { done, value } = await reader.read();
    if (done) break;
    first.push(value);
    size += value.byteLength;
  }
  const head = first.flatMap((c) => Array.from(c.subarray(0, 2)));
  /** @type {ReadableStream<any>} */
  const whole = new ReadableStream({
    async pull(out) {
      const early = first.shift();
      if (early) return out.enqueue(early);
      const { done, value } = await reader.read();
      if (done) out.close();
      else out.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
  return { head, stream: whole };
}
