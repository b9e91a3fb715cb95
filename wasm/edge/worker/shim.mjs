// The worker's entry: it runs requests in instances of the Go program, one request in each at a time, and uses them
// again, since starting one takes most of the processor time that the free plan allows. When too many are busy it asks
// to come back later. ./build.sh edge puts the program's module and Go's wasm_exec.js before this text.
globalThis.tryCatch = (fn) => { try { return { result: fn() }; } catch (e) { return { error: e }; } };
// 8 instances of at most 14 MB stay within the 128 MB that all requests have together.
const MAX_IDLE = 8, MAX_BUSY = 8, LEASE_MS = 30_000, MAX_USES = 200, MAX_MEMORY = 14 << 20;
// A body is read before an instance is taken, so a slow sender holds none; MAX_READS of them are read at a time.
const MAX_BODY = 1 << 20, BODY_MS = 10_000, MAX_READS = 64;
const idle = [], busy = new Map(), reads = new Map();
// An aborted request never reaches finally.
const forget = (map, ms) => { for (const [k, t] of map) if (Date.now() - t > ms) map.delete(k); };

// refuse answers as the program does (edge.go).
const refuse = (status, error, retry) => new Response(JSON.stringify({ error, code: error, args: [] }), { status, headers: {
  "Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
  ...(retry && { "Retry-After": retry }) } });

// body reads the body of a request, or answers by what is wrong with it.
async function body(req) {
  forget(reads, 2 * BODY_MS);
  if (reads.size >= MAX_READS) return refuse(503, "the server is busy", "1");
  const key = {};
  reads.set(key, Date.now());
  const reader = req.body.getReader(), parts = [];
  let size = 0, timer;
  const late = new Promise((_, no) => { timer = setTimeout(() => no(new Error("late")), BODY_MS); });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return new Blob(parts).arrayBuffer();
      if ((size += value.byteLength) > MAX_BODY) return refuse(413, "a request may have at most 1 MB");
      parts.push(value);
    }
  } catch {
    return refuse(408, "the request was cut short");
  } finally {
    clearTimeout(timer);
    reads.delete(key);
    reader.cancel().catch(() => {});
  }
}

async function start(env, ctx) {
  const binding = {}, context = { env, ctx, binding };
  const go = new Go(), vm = { binding, context, dead: false, uses: 0 };
  let ready;
  const begun = new Promise((r) => { ready = r; });
  const instance = new WebAssembly.Instance(program, { ...go.importObject, workers: { ready: () => ready() } });
  vm.memory = () => instance.exports.mem.buffer.byteLength;
  const gone = () => { vm.dead = true; };
  go.run(instance, context).then(gone, gone);
  await begun;
  return vm;
}

export default {
  async fetch(req, env, ctx) {
    forget(busy, LEASE_MS);
    if (req.body !== null) {
      const read = await body(req);
      if (read instanceof Response) return read;
      req = new Request(req.url, { method: req.method, headers: req.headers, body: read });
    }
    let vm = idle.pop();
    if (vm === undefined && busy.size >= MAX_BUSY)
      return refuse(503, "the server is busy", "1");
    const key = {};
    busy.set(key, Date.now());
    try {
      if (vm === undefined) vm = await start(env, ctx);
      else { vm.context.env = env; vm.context.ctx = ctx; }
      const res = await vm.binding.handleRequest(req);
      const body = res.body === null ? null : await res.arrayBuffer(); // whole before the instance is free again
      if (!vm.dead && ++vm.uses < MAX_USES && vm.memory() <= MAX_MEMORY && idle.length < MAX_IDLE) idle.push(vm);
      return new Response(body, { status: res.status, statusText: res.statusText, headers: res.headers });
    } finally {
      busy.delete(key);
    }
  },
};
