// The entry of the worker. It handles requests in instances of the Go program, one request at a time in each. It reuses
// instances, because starting one takes most of the processor time of the free plan. If too many are busy, it responds
// that the client should try again later. ./build.sh edge puts the module of the program and Go's wasm_exec.js before
// this text.
globalThis.tryCatch = (fn) => { try { return { result: fn() }; } catch (e) { return { error: e }; } };

// All requests together have 128 MB. Instances have at most 4 x 12 MB, bodies that are being received 8 MB, and the
// same again while they are joined; the rest is for V8.
const MAX_INSTANCES = 4, LEASE_MS = 30_000, MAX_USES = 200, MAX_MEMORY = 12 << 20;
const MAX_BODY = 1 << 20, BODY_MS = 30_000, MAX_HELD = 8 << 20;
const idle = [], busy = new Map(); // busy has the Authorization header of each request in an instance
// One instance is reserved for hosts, for whom all devices wait: for Authorization headers that were valid before, and
// one request of each at a time.
const FOR_HOSTS = 1, MAX_HOSTS = 1000;
const hosts = new Set();
// An aborted request never reaches finally.
const forget = (map, ms) => { for (const k of map.keys()) if (Date.now() - k.begun > ms) map.delete(k); };

// refuse returns an error response like the one of the program (edge.go).
const refuse = (status, error, retry) => new Response(JSON.stringify({ error, code: error, args: [] }), {
  status, headers: {
    "Content-Type": "application/json; charset=utf-8", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
    ...(retry && { "Retry-After": retry }) } });
const tooBusy = () => refuse(503, "the server is busy", "1");

// Bodies are read before an instance is taken, so that a slow sender occupies none. reads has the reads in progress,
// the oldest first, with their addresses. After a read of an address was cancelled for lack of memory, large bodies of
// this address are refused for PUT_OFF_MS.
const reads = new Map(), putOff = new Map();
const SMALL = 64 << 10, PUT_OFF_MS = 5000, MAX_PUT_OFF = 1000;

// limit limits the size of a map or a set: it deletes the oldest entry.
const limit = (all, most) => { if (all.size > most) all.delete(all.keys().next().value); };

// makePlace cancels reads until the others hold at most MAX_HELD bytes: each time the oldest read of the address that
// holds most. So a sender that delays its bodies does not affect other addresses, or senders that send them at once.
function makePlace() {
  for (;;) {
    const sums = new Map();
    let held = 0, worst;
    for (const r of reads.keys()) {
      held += r.size;
      sums.set(r.address, (sums.get(r.address) ?? 0) + r.size);
    }
    if (held <= MAX_HELD) return;
    const most = Math.max(...sums.values());
    for (const r of reads.keys()) if (worst === undefined && r.size > 0 && sums.get(r.address) === most) worst = r;
    reads.delete(worst);
    worst.stop();
    putOff.set(worst.address, Date.now() + PUT_OFF_MS);
    limit(putOff, MAX_PUT_OFF);
  }
}

// body reads the body of a request, or returns an error response.
async function body(req) {
  forget(reads, 2 * BODY_MS);
  const address = req.headers.get("cf-connecting-ip") ?? "";
  const small = Number(req.headers.get("content-length") ?? MAX_BODY) <= SMALL;
  if (!small && putOff.get(address) > Date.now()) return tooBusy();
  const reader = req.body.getReader(), parts = [];
  const read = { begun: Date.now(), address, size: 0 };
  let timer;
  const ended = new Promise((end) => {
    timer = setTimeout(() => end({ late: true }), BODY_MS);
    read.stop = () => end({ stopped: true }); // called by another request, which must not make the response of this one
  });
  reads.set(read);
  try {
    for (;;) {
      const got = await Promise.race([reader.read(), ended]);
      if (got.late) return refuse(408, "the request was cut short");
      if (got.stopped) return tooBusy();
      if (got.done) return new Blob(parts).arrayBuffer();
      if ((read.size += got.value.byteLength) > MAX_BODY) return refuse(413, "a request may have at most 1 MB");
      parts.push(got.value);
      makePlace();
    }
  } catch {
    return refuse(408, "the request was cut short");
  } finally {
    clearTimeout(timer);
    reads.delete(read);
    reader.cancel().catch(() => {});
  }
}

// mayRun reports whether an instance may be used for a request.
function mayRun(token) {
  if (busy.size < MAX_INSTANCES - FOR_HOSTS) return true;
  return busy.size < MAX_INSTANCES && hosts.has(token) && ![...busy.values()].includes(token);
}

// remember records that a token of a host was valid.
function remember(token) {
  hosts.delete(token); // so that it becomes the newest
  hosts.add(token);
  limit(hosts, MAX_HOSTS);
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
    if (req.body !== null) {
      const read = await body(req);
      if (read instanceof Response) return read;
      req = new Request(req.url, { method: req.method, headers: req.headers, body: read });
    }
    forget(busy, LEASE_MS);
    const token = req.headers.get("authorization");
    if (!mayRun(token)) return tooBusy();
    let vm = idle.pop();
    const key = { begun: Date.now() };
    busy.set(key, token);
    try {
      if (vm === undefined) vm = await start(env, ctx);
      else { vm.context.env = env; vm.context.ctx = ctx; }
      const res = await vm.binding.handleRequest(req);
      const body = res.body === null ? null : await res.arrayBuffer(); // complete before the instance is reused
      if (!vm.dead && ++vm.uses < MAX_USES && vm.memory() <= MAX_MEMORY && idle.length < MAX_INSTANCES) idle.push(vm);
      if (res.headers.has("logz-host")) remember(token);
      return new Response(body, { status: res.status, statusText: res.statusText, headers: res.headers });
    } finally {
      busy.delete(key);
    }
  },
};
