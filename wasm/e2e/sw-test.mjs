// Tests sw.js under Node with a simulated server and cache. The argument is the path of sw.js.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const SITE = 'https://lab.example/in/';
const good = { 'index.html': 'the page', 'main.js': 'the script', 'models/m.npz': 'a model' };
const hash = (text) => 'sha256-' + createHash('sha256').update(text).digest('base64');
const hashes = (...names) => JSON.stringify(Object.fromEntries(names.map((name) => [name, hash(good[name])])));

/** Starts sw.js with a version and file hashes, as `tool dist` inserts them. serve returns the body of a file, or throws. */
function start(serve, stored = new Map()) {
  const code = readFileSync(process.argv.at(-1), 'utf8').replace("'dev'", "'2'")
    .replace('const FILES = {}', `const FILES = ${hashes('index.html', 'main.js')}`)
    .replace('const LATER = {}', `const LATER = ${hashes('models/m.npz')}`);
  const named = (request) => new URL(request.url ?? request, SITE).href;
  const caches = {
    open: async (name) => {
      if (!stored.has(name)) stored.set(name, new Map());
      const kept = stored.get(name);
      return {
        put: async (request, answer) => void kept.set(named(request), await answer.text()),
        match: async (request) => kept.has(named(request)) ? new Response(kept.get(named(request))) : undefined,
      };
    },
    keys: async () => [...stored.keys()],
    delete: async (name) => stored.delete(name),
  };
  const asked = [];
  const fetch = async (request, { cache = request.cache, integrity = '' } = {}) => {
    const name = named(request).slice(SITE.length);
    asked.push(`${name} ${cache}`);
    const body = serve(name, cache);
    if (integrity && integrity !== hash(body)) throw new TypeError('integrity');
    return new Response(body);
  };
  const listeners = {};
  const self = { registration: { scope: SITE }, addEventListener: (name, f) => { listeners[name] = f; } };
  new Function('self', 'caches', 'fetch', 'location', code)(self, caches, fetch, new URL(SITE));
  /** Sends an event, and returns the text of its response after all promises given to waitUntil have settled. */
  const send = async (name, more = {}) => {
    const waits = [];
    let answer;
    listeners[name]({ ...more, waitUntil: (p) => waits.push(p), respondWith: (p) => { answer = p; } });
    const text = await (await answer)?.text();
    for (let n = 0; n < waits.length; n++) await waits[n];
    return text;
  };
  const get = (name, cache = 'default') =>
    send('fetch', { request: { method: 'GET', mode: 'cors', url: SITE + name, cache } });
  return { send, get, asked, stored };
}

const right = (name) => good[name];
const kept = (w) => w.stored.get('logzlab 2');

test('all files are cached, and requested without the browser\'s HTTP cache', async () => {
  const w = start(right);
  await w.send('install');
  assert.deepEqual([...kept(w).values()], ['the page', 'the script']);
  assert.deepEqual(w.asked, ['index.html no-cache', 'main.js no-cache']);
});

test('a file that an HTTP cache has damaged is requested again, without that cache', async () => {
  const w = start((name, cache) => name === 'main.js' && cache !== 'reload' ? 'damaged' : right(name));
  await w.send('install');
  assert.equal(kept(w).get(SITE + 'main.js'), 'the script');
});

test('nothing is cached if one file is damaged or does not arrive', async () => {
  for (const bad of [() => 'damaged', () => { throw new TypeError('network'); }]) {
    const w = start((name) => name === 'main.js' ? bad() : right(name));
    await assert.rejects(w.send('install'));
    assert.deepEqual(w.asked, ['index.html no-cache', 'main.js no-cache', 'main.js reload']);
    assert.equal(kept(w), undefined);
  }
});

test('a new version deletes the cache of the old one, and no other caches', async () => {
  const w = start(right, new Map([['logzlab 1', new Map()], ['kept by logz lab', new Map()]]));
  await w.send('install');
  await w.send('activate');
  assert.deepEqual([...w.stored.keys()], ['kept by logz lab', 'logzlab 2']);
});

test('a cached file needs no server; a damaged one is replaced once the server has recovered', async () => {
  let down = true;
  const w = start((name) => down ? 'damaged' : right(name),
    new Map([['logzlab 2', new Map([[SITE + 'main.js', 'poisoned']])]]));
  assert.equal(await w.get('main.js'), 'poisoned'); // boot.js detects the damage and requests the file without any cache
  assert.deepEqual(w.asked, []);
  assert.equal(await w.get('main.js', 'reload'), 'damaged');
  assert.equal(kept(w).get(SITE + 'main.js'), 'poisoned');
  down = false;
  assert.equal(await w.get('main.js', 'reload'), 'the script');
  assert.equal(await w.get('main.js'), 'the script');
});

test('a model is cached after its first use, if it is undamaged', async () => {
  let body = 'damaged';
  const w = start(() => body);
  await w.get('models/m.npz');
  assert.equal(kept(w)?.size ?? 0, 0);
  body = 'a model';
  await w.get('models/m.npz');
  assert.equal(kept(w).get(SITE + 'models/m.npz'), 'a model');
});
