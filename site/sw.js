// Keeps one whole version of the site for use without a network. VERSION, FILES and LATER are stamped by wasm/tool
// dist. A file is kept only if it has the content hash given here. Files come one by one, so that a failure leaves none
// under way: all are kept or none, never a mix or a damaged file, and a page is served from one cache only.
/* eslint-env serviceworker */
'use strict';

const VERSION = 'dev';
/** Content hashes by name, of the files that are kept from the beginning. @type {Record<string, string>} */
const FILES = {};
/** Of those that are kept once somebody has used them. @type {Record<string, string>} */
const LATER = {};
const scope = /** @type {any} */ (self);
const CACHE = `logzlab ${VERSION}`;

/** Fetches a file that has its hash, past every cache if one gives another. @param {[string, string]} file */
const bring = ([name, integrity]) => fetch(name, { cache: 'no-cache', integrity })
  .catch(() => fetch(name, { cache: 'reload', integrity }));

async function fill() {
  try {
    const cache = await caches.open(CACHE);
    for (const file of Object.entries(FILES)) await cache.put(file[0], await bring(file));
  } catch (e) {
    await caches.delete(CACHE).catch(() => {});
    throw e;
  }
}

async function clear() {
  for (const name of await caches.keys()) {
    if (name.startsWith('logzlab ') && name !== CACHE) await caches.delete(name);
  }
}

/** Answers from the cache, and without it from the network. A page that got a damaged copy asks past every cache,
 * also this one. @param {any} e */
async function answer(e) {
  const { request } = e;
  if (request.mode === 'navigate' || request.cache !== 'reload') {
    const kept = caches.open(CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
    const hit = await kept.catch(() => null);
    // Servers send index.html to its folder, which a page load does not take.
    if (hit) return hit.redirected ? new Response(hit.body, hit) : hit;
  }
  const fresh = await fetch(request);
  if (fresh.ok) e.waitUntil(keep(request.url, fresh.clone()).catch(() => {})); // the storage may be full
  return fresh;
}

/** @param {string} url @param {Response} file */
async function keep(url, file) {
  const name = url.slice(scope.registration.scope.length) || './';
  const sum = await crypto.subtle.digest('SHA-256', await file.clone().arrayBuffer());
  const hash = btoa(String.fromCharCode(...new Uint8Array(sum)));
  if ((FILES[name] ?? LATER[name])?.includes(hash)) await (await caches.open(CACHE)).put(url, file);
}

// All at the end: a script that is cut short does nothing.
scope.addEventListener('install', (/** @type {any} */ e) => e.waitUntil(fill()));
scope.addEventListener('activate', (/** @type {any} */ e) => e.waitUntil(clear()));
// A new version waits until the page asks for it, and all its tabs then reload, or
// until the last tab is closed: no page ever gets files of two versions.
scope.addEventListener('message', (/** @type {any} */ e) => {
  if (e.data === 'go') scope.skipWaiting();
});
scope.addEventListener('fetch', (/** @type {any} */ e) => {
  if (e.request.method === 'GET' && new URL(e.request.url).origin === location.origin) e.respondWith(answer(e));
});
