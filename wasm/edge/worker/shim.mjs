// The worker's entry: it runs requests in instances of the Go program, one request in each at a time, and uses them
// again, since starting one takes most of the processor time that the free plan allows. When too many are busy it asks
// to come back later. ./build.sh edge puts the program's module and Go's wasm_exec.js before this text.
globalThis.tryCatch = (fn) => { try { return { result: fn() }; } catch (e) { return { error: e }; } };
// 8 instances of at most 14 MB stay within the 128 MB that all requests have together.
const MAX_IDLE = 8, MAX_BUSY = 8, LEASE_MS = 30_000, MAX_USES = 200, MAX_MEMORY = 14 << 20;
const idle = [], busy = new Map();

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
    const now = Date.now();
    for (const [k, t] of busy) if (now - t > LEASE_MS) busy.delete(k); // an aborted request never reaches finally
    let vm = idle.pop();
    if (vm === undefined && busy.size >= MAX_BUSY)
      return new Response("busy\n", { status: 503, headers: { "Retry-After": "1", "Cache-Control": "no-store" } });
    const key = {};
    busy.set(key, now);
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
