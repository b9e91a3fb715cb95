// The worker's entry: it runs requests in instances of the Go program, one request in each at a time, and uses them
// again, since starting one takes most of the processor time that the free plan allows. When too many are busy it asks
// to come back later. ./build.sh edge puts the program's module and Go's wasm_exec.js before this text.
globalThis.tryCatch = (fn) => { try { return { result: fn() }; } catch (e) { return { error: e }; } };
// 8 instances of at most 14 MB stay within the 128 MB that all requests have together.
// Two are for hosts, whom all devices wait for.
const MAX_IDLE = 8, MAX_BUSY = 8, FOR_HOSTS = 2, LEASE_MS = 30_000, MAX_USES = 200, MAX_MEMORY = 14 << 20;
// A body is read before an instance is taken, so a slow sender holds none. All that are read have MAX_HELD bytes.
const MAX_BODY = 1 << 20, BODY_MS = 10_000, MAX_HELD = 24 << 20;
const idle = [], busy = new Map(), reads = new Map(); // reads has the bytes
// An aborted request never reaches finally.
const forget = (map, ms) => { for (const k of map.keys()) if (Date.now() - k.begun > ms) map.delete(k); };

// refuse answers as the program does (edge.go).
const refuse = (status, error, retry) => new Response(JSON.stringify({ error, code: error, args: [] }), {
  status, headers: {
    "Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
    ...(retry && { "Retry-After": retry }) } });

// body reads the body of a request, or answers by what is wrong with it.
async function body(req) {
  forget(reads, 2 * BODY_MS);
  const key = { begun: Date.now() };
  let held = 0;
  for (const n of reads.values()) held += n;
  if (held > MAX_HELD) return refuse(503, "the server is busy", "1");
  const reader = req.body.getReader(), parts = [];
  let size = 0, timer;
  const late = new Promise((_, no) => { timer = setTimeout(() => no(new Error("late")), BODY_MS); });
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) return new Blob(parts).arrayBuffer();
      if ((size += value.byteLength) > MAX_BODY) return refuse(413, "a request may have at most 1 MB");
      parts.push(value);
      reads.set(key, size);
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
    if (busy.size >= MAX_BUSY - (req.headers.has("authorization") ? 0 : FOR_HOSTS))
      return refuse(503, "the server is busy", "1");
    let vm = idle.pop();
    const key = { begun: Date.now() };
    busy.set(key);
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
