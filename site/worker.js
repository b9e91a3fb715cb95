// A dedicated worker that runs a Go program in one role: controller (experiment, views, scheduling), lane (computing),
// compiler (Stan programs) or external (samples of other programs). It only passes messages between Go and the page.
// `tool dist` prepends wasm_exec.js.
/* eslint-env worker */
'use strict';
/** @typedef {{t: string, role?: string, module?: WebAssembly.Module, workers?: number,
 *   page?: {given: Record<string, Blob>}, files?: string[]}} Message */

{
  const scope = /** @type {any} */ (self);
  /** @type {Message[]} Messages that arrived before Go was ready. */
  const waiting = [];
  /** @type {((m: Message) => void) | null} */ let toGo = null;
  /** Responses with files that Go will request later, by their URL. @type {Record<string, Promise<Response>>} */
  const prefetched = {};
  let output = ''; // the beginning of Go's output; after a panic it starts with the reason

  const reason = () => output.split('\n\n')[0].trim();

  /** Tells the page that this worker has failed, and ends it. @param {unknown} why */
  const fail = (why) => {
    toGo = () => {};
    scope.postMessage({ t: 'gone', why: String(why) });
    scope.close();
  };

  /** Passes a message to Go; a panic in Go is caught here. @param {Message} m */
  const deliver = (m) => {
    if (!toGo) return void waiting.push(m);
    try {
      toGo(m);
    } catch (e) {
      fail(reason() || e);
    }
  };

  // Go sets self.onGo when it is ready. Waiting messages are delivered in a separate task, because Go must not be called
  // while it is inside this setter.
  Object.defineProperty(scope, 'onGo', { get: () => toGo, set: (f) => setTimeout(() => {
    toGo = f;
    waiting.splice(0).forEach(deliver);
  }, 0) });

  /** @param {Message} m */
  const start = async (m) => {
    for (const [url, data] of Object.entries(m.page?.given ?? {})) prefetched[url] = Promise.resolve(new Response(data));
    scope.logz = { role: m.role, workers: m.workers, page: m.page, ahead: prefetched, begun: performance.now() };
    const write = scope.fs.writeSync;
    /** @param {number} fd @param {Uint8Array} b */
    scope.fs.writeSync = (fd, b) => {
      output = (output + new TextDecoder().decode(b)).slice(0, 2000);
      return write(fd, b);
    };
    try {
      const go = new scope.Go();
      go.argv = ['logz'];
      let code = 0;
      go.exit = (/** @type {number} */ c) => { code = c; };
      const instance = await WebAssembly.instantiate(/** @type {WebAssembly.Module} */ (m.module), go.importObject);
      await go.run(instance);
      fail(reason() || `the program ended with code ${code}`);
    } catch (e) {
      fail(reason() || e);
    }
  };

  scope.onmessage = (/** @type {MessageEvent<Message>} */ e) => {
    const { t, files = [] } = e.data;
    for (const url of files) (prefetched[url] = fetch(url)).catch(() => {});
    if (t === 'start') start(e.data);
    else if (t !== 'ahead') deliver(e.data);
  };
}
