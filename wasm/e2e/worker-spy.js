// Put before worker.js by the test's server: the browser shows a worker's
// console only to a debugger of its own, so errors are sent to the page.
{
  const channel = new BroadcastChannel('e2e');
  const tell = (what) => channel.postMessage(String(what));
  addEventListener('error', (e) => tell(e.message));
  addEventListener('unhandledrejection', (e) => tell(e.reason));
  for (const level of ['log', 'warn', 'error']) {
    const old = console[level];
    console[level] = (...args) => {
      tell(level + ': ' + args.join(' '));
      old.apply(console, args);
    };
  }
}
