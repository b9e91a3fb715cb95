// Runs in every frame before the page's own scripts. It only records: errors, the time of the first number, the workers
// and the messages that they send.
(() => {
  const spy = (window.spy = { errors: [], first: null, frames: 0, views: 0, resets: 0, workers: [] });
  const missed = (e) => 'not loaded: ' + (e.target.src ?? e.target.href);
  addEventListener('error', (e) => spy.errors.push('error: ' + (e.message ?? missed(e))), true);
  addEventListener('securitypolicyviolation',
    (e) => spy.errors.push(`forbidden: ${e.blockedURI} by ${e.violatedDirective}`));
  addEventListener('unhandledrejection', (e) => spy.errors.push('rejection: ' + e.reason));
  new BroadcastChannel('e2e').onmessage = (e) => spy.errors.push('worker: ' + e.data);
  const error = console.error;
  console.error = (...args) => {
    spy.errors.push('console: ' + args.join(' '));
    error.apply(console, args);
  };
  const poll = setInterval(() => {
    const cell = [...document.querySelectorAll('#results td[data-field=logz]')].find((td) => td.textContent.trim());
    if (!cell) return;
    spy.first = { ms: performance.now(), text: cell.textContent };
    clearInterval(poll);
  }, 10);
  window.Worker = class extends Worker {
    constructor(...args) {
      super(...args);
      spy.workers.push(this);
      this.addEventListener('message', (e) => {
        if (e.data && e.data.t === 'frame') spy.frames++;
        if (e.data && e.data.t === 'view') spy.views++;
        if (e.data && e.data.t === 'ready') spy.simd = e.data.simd;
        if (e.data && e.data.t === 'reset') spy.resets++;
      });
    }
    postMessage(data, ...rest) {
      if (data && data.t === 'start') this.role = data.role;
      super.postMessage(data, ...rest);
    }
    terminate() {
      this.dead = true;
      super.terminate();
    }
  };
})();
