// Stores one complete version of the site for use without a network. wasm/tool dist fills in VERSION, FILES and LATER. A
// file is stored only if it has the content hash given here. Either all files are stored or none, and a page is served
// from one cache only, so that versions never mix.
/* eslint-env serviceworker */
'use strict';

const VERSION = 'dev';
/** Content hashes by name, of the files that are stored at installation. @type {Record<string, string>} */
const FILES = {};
/** Content hashes by name, of the files that are stored when they are first used. @type {Record<string, string>} */
const LATER = {};
const scope = /** @type {any} */ (self);
const CACHE = `logzlab ${VERSION}`;

/** Fetches a file and verifies its hash, bypassing all caches if a cached copy is wrong. @param {[string, string]} file */
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

/** Answers a request from the cache, otherwise from the network. A page that received a damaged copy bypasses the cache. @param {any} e */
async function answer(e) {
  const { request } = e;
  if (request.mode === 'navigate' || request.cache !== 'reload') {
    const cached = caches.open(CACHE).then((cache) => cache.match(request, { ignoreSearch: true }));
    const hit = await cached.catch(() => null);
    // Some servers redirect index.html to its folder, and a navigation does not accept a redirected response.
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

// At the end, so that a truncated script does nothing.
scope.addEventListener('install', (/** @type {any} */ e) => e.waitUntil(fill()));
scope.addEventListener('activate', (/** @type {any} */ e) => e.waitUntil(clear()));
// A new version waits until the user accepts it, when all tabs reload, or until the last tab is closed, so that no page
// gets files of two versions.
scope.addEventListener('message', (/** @type {any} */ e) => {
  if (e.data === 'go') scope.skipWaiting();
});
scope.addEventListener('fetch', (/** @type {any} */ e) => {
  if (e.request.method === 'GET' && new URL(e.request.url).origin === location.origin) e.respondWith(answer(e));
});
