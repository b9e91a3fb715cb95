// The service worker, sw.js, keeps the page.

/** Keeps the page for use without a network. @param {() => void} offerUpdate says that a new version waits */
export async function keepOffline(offerUpdate) {
  const kept = await navigator.serviceWorker.register('sw.js');
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
  const offer = () => {
    if (kept.waiting && navigator.serviceWorker.controller) offerUpdate();
  };
  offer();
  kept.addEventListener('updatefound', () => kept.installing?.addEventListener('statechange', offer));
}
