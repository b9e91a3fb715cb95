// The test server puts this script before worker.js. It sends errors to the page, because the browser shows a worker's
// console only to a debugger of that worker.
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
