// Keeps one whole version of the site for use without a network. VERSION and FILES
// are stamped by wasm/tool dist; the version is a hash of every file, so a cache
// never holds a mix: it is filled completely or not at all, and a page is served
// from one cache only.
/* eslint-env serviceworker */
'use strict';

const VERSION = 'dev';
/** @type {string[]} */
const FILES = [];
const scope = /** @type {any} */ (self);
const CACHE = `logzlab ${VERSION}`;

scope.addEventListener('install', (/** @type {any} */ e) => {
  e.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((f) => new Request(f, { cache: 'no-cache' })));
  })());
});

// A new version waits until the page asks for it, and all its tabs then reload, or
// until the last tab is closed: no page ever gets files of two versions.
scope.addEventListener('message', (/** @type {any} */ e) => {
  if (e.data === 'go') scope.skipWaiting();
});

scope.addEventListener('activate', (/** @type {any} */ e) => {
  e.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith('logzlab ') && name !== CACHE) await caches.delete(name);
    }
  })());
});

scope.addEventListener('fetch', (/** @type {any} */ e) => {
  const url = new URL(e.request.url);
  if (e.request.method !== 'GET' || url.origin !== location.origin) return;
  e.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const hit = await cache.match(e.request, { ignoreSearch: true });
    if (hit) return hit.redirected ? new Response(hit.body, hit) : hit; // servers send index.html to its folder, which a page load does not take
    const answer = await fetch(e.request);
    if (answer.ok && url.pathname.includes('/models/')) await cache.put(e.request, answer.clone());
    return answer;
  })());
});
