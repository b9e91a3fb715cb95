// The first script of the page. `tool dist` writes it into index.html. Every other file of the site is verified by its
// content hash: styles and scripts by the browser, fetched files by the function bring. A file that cannot be loaded or
// has another hash is requested once more, bypassing all caches. If the second request fails as well, the page names
// the file and what to do, and deletes all stored files of the site, so that the next load starts clean.

{
  // The theme of the link, set before the first painting, so that no other theme flashes.
  const linkTheme = (location.hash + location.search).match(/view\.(?:theme=(light|dark|projector)|(projector)(?!=[^1]))/);
  if (linkTheme) document.documentElement.dataset.theme = linkTheme[1] ?? linkTheme[2];
  // The parts that an embedded page hides, set before the first painting; the controller sets them again.
  const view = new URLSearchParams(`${location.hash.slice(1)}&${location.search.slice(1)}`);
  if (/^1?$/.test(view.get('view.embed') ?? 'no')) document.documentElement.dataset.embed = 'true';
  document.documentElement.dataset.hide = (view.get('view.hide') ?? '').replaceAll(',', ' ');
  // The hero is shown for an address without a link, and for a link with a stroke (route.Parse).
  const stroke = /^#stroke=/.test(location.hash);
  if ((stroke || !location.hash && !/view\./.test(location.search)) && !('alone' in document.documentElement.dataset)) {
    document.documentElement.toggleAttribute('data-hero', true);
    document.documentElement.dataset.theme = 'dark';
    if (!stroke) document.head.append(Object.assign(document.createElement('link'),
      { rel: 'preload', as: 'fetch', crossOrigin: '', href: 'hero.bin' }));
  }

  /** Returns the element with an id; the caller knows its type. @param {string} id @returns {any} */
  const $ = (id) => document.getElementById(id);
  // The document contains the hero in English, and the lab as it looks for the address #lab (view.Shell). For other
  // links, lab.css hides the elements that differ until this script or the controller has filled them in.
  const hero = document.documentElement.matches('[data-hero]');
  document.documentElement.toggleAttribute('data-link', !hero && location.hash !== '#lab');
  document.addEventListener('readystatechange', () => { // before the deferred scripts
    if (document.readyState !== 'interactive' || !$('dropping')) return; // the document is truncated
    const translated = $(`hero-${language()}`)?.content.firstElementChild;
    if (translated) $('hero').replaceChildren(...translated.childNodes);
    if (translated && hero) document.documentElement.lang = language();
    if (document.documentElement.matches('[data-link]')) fill(new URLSearchParams((location.hash ||
      dataOf('alone').link || '').slice(1)));
  });

  /** Shows the model, methods, seed and scenes of a link, as far as they are known without the Go program.
   * @param {URLSearchParams} link */
  function fill(link) {
    /** @type {{methods: Record<string, string[]>, labels: Record<string, string>, tabs: Record<string, string>,
     *   models: Record<string, number>, openings: {methods?: string[], scene: string, tabs: string}[][]}} */
    const known = dataOf('first');
    const [select, row] = [$('model'), $('methods').firstElementChild];
    const [model, seed] = [link.get('model') ?? select.value, link.get('seed') ?? $('seed').value];
    const methods = link.get('method')?.split(',') ?? [row.dataset.key];
    const [by, modelName] = document.querySelectorAll('.r-of > span + span');
    if (!link.has('v') && [...link.keys()].some((key) => !/^view\./.test(key)) ||
      !methods.every((name) => Object.hasOwn(known.methods, name))) return; // the link is not an experiment
    /** Shows elements that have their final content. @param {any[]} elements */
    const markFilled = (...elements) => elements.forEach((el) => el.toggleAttribute('data-own', true));

    // Methods. The result of one of them is shown large.
    $('seed').setAttribute('value', seed);
    const large = methods.find((name) => name === link.get('view.focus')) ?? methods[0];
    by.textContent = `${by.textContent}`.replace(known.methods[row.dataset.key][0], known.methods[large][0]);
    row.replaceWith(...methods.map((name, i) => {
      const next = row.cloneNode(true);
      const [label, short] = known.methods[name];
      next.dataset.key = name;
      next.querySelector('.m').setAttribute('class', `m m-${i}`);
      next.querySelector('.m use').setAttribute('href', `#m-${i}`);
      Object.assign(next.querySelector('.name'), { value: name, textContent: label, ariaPressed: String(name === large) });
      Object.assign(next.querySelector('.short'), { textContent: short, title: '' });
      next.querySelector('input').value = name;
      return next;
    }));
    markFilled($('seed'), $('methods'), by);

    // A built-in model.
    const openings = known.openings[known.models[model]];
    if (!openings) return;
    for (const el of select.options) el.toggleAttribute('selected', el.value === model);
    modelName.textContent = `${modelName.textContent}`.replace(/^[^,]*/, model).replace(/\d+$/, seed);

    // Its scenes: the tabs of all methods, and the selected one.
    const methodOpenings = methods.map((name) => /** @type {typeof openings[0]} */ (
      openings.find((opening) => opening.methods?.includes(name) ?? true)));
    const tabs = methodOpenings.map((opening) => opening.tabs.split(' '));
    const names = tabs.reduce((a, b) => (b.length > a.length ? b : a)).map((name) => name.replace('!', ''));
    const shows = (/** @type {string} */ name) => tabs.some((list) => list.includes(name));
    const tabOf = (/** @type {string} */ name) => known.tabs[name] ?? name;
    const requested = tabOf(link.get('view.scene') ?? '');
    const selected = names.includes(requested) && shows(requested) ? requested : tabOf(methodOpenings[0].scene);
    const tab = $('tabs').firstElementChild;
    $('tabs').replaceChildren(...names.map((name) => {
      const next = Object.assign(tab.cloneNode(), { id: `tab-${name}`, title: '', textContent: known.labels[name],
        ariaSelected: String(name === selected), ariaDisabled: String(!shows(name)), tabIndex: name === selected ? 0 : -1 });
      next.dataset.scene = name;
      return next;
    }));
    markFilled(select, modelName, $('tabs'));
  }

  /** An error with a message for the user: what happened and what to do. */
  class Trouble extends Error {}

  /** Returns the JSON of a script element, {} if the page has none. @param {string} id */
  const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent || '{}');

  /** Returns the requested language if the site has it, otherwise English. */
  const language = () => {
    const requested = `${location.hash} ${location.search}`.match(/lang=(\w+)/)?.[1] ?? navigator.language.slice(0, 2);
    return Object.hasOwn(dataOf('words'), requested) ? requested : 'en';
  };

  /** Returns a text that the page needs before the program has loaded, from the translations; {0}, {1} are replaced by
   * args. @param {string} key @param {unknown[]} args */
  const words = (key, ...args) => {
    const text = dataOf('words')[language()]?.[key] ?? `${key} {0} {1}`;
    return text.replace(/\{(\d)\}/g, (/** @type {string} */ _, /** @type {number} */ i) => String(args[i] ?? ''));
  };

  /** Shows what is wrong, with a button that reloads the page.
   * @param {HTMLElement} box @param {(string | Node)[]} content */
  const reload = (box, ...content) => {
    box.dataset.level = 'error';
    box.replaceChildren(...content, Object.assign(document.createElement('button'),
      { type: 'button', textContent: words('reload'), onclick: () => location.reload() }));
  };

  /** Deletes the stored files of the site and its service worker. */
  async function deleteStored() {
    try { // fails over plain http, and if storage is refused
      await (await navigator.serviceWorker.getRegistration())?.unregister();
      for (const name of await caches.keys()) if (name.startsWith('logzlab ')) await caches.delete(name);
    } catch { /* nothing was stored */ }
  }

  /** Returns a file contained in a page that was saved as one file (alone.js), otherwise null. @param {string} name */
  const inside = (name) => {
    const text = document.getElementById(`file ${name}`)?.textContent;
    return text ? new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]) : null;
  };

  /** Fetches a file of the site and verifies its hash. @param {string} name
   * @param {(answer: Response) => Promise<Blob>} take reads the response, before it is verified
   * @param {RequestCache[]} modes the cache modes of the attempts, in order */
  async function bring(name, take = (answer) => answer.blob(), modes = ['default', 'reload']) {
    let [trouble, damaged] = ['', false];
    for (const cache of modes) {
      trouble = words(location.protocol === 'file:' ? 'file' : 'noanswer', name);
      const contained = inside(name);
      const answer = contained ? new Response(contained) : await fetch(name, { cache }).catch(() => null);
      if (!answer) continue;
      const kind = answer.headers.get('Content-Type') ?? '?';
      const page = /html/.test(kind) && !/html/.test(name);
      trouble = answer.ok ? words(page ? 'else' : 'damaged', name, kind) : words('status', name, answer.status);
      const data = answer.ok && await take(answer).catch(() => null);
      if (data && await passes(data, dataOf('files')[name])) return data;
      damaged ||= answer.ok;
    }
    if (damaged) await deleteStored();
    throw new Trouble(trouble);
  }

  /** Reports whether data match a hash of integrity. The browser compares them in a fetch, which works without
   * crypto.subtle.
   * @param {Blob} data @param {string | undefined} integrity */
  async function passes(data, integrity) {
    const url = URL.createObjectURL(data);
    const matches = !!integrity && await fetch(url, { integrity }).then(() => true, () => false);
    URL.revokeObjectURL(url);
    return matches;
  }

  // A page that opens with a lecture does not show the lab first.
  if (/[#&]view\.deck=/.test(location.hash)) document.documentElement.toggleAttribute('data-deck', true);

  Object.assign(window, { boot: /** @type {Boot} */ ({ bring, inside, words, language, reload, Trouble }) });

  // The files whose tags have failed, and the results of fetching them again.
  /** @type {Map<string, Promise<string>>} */ const broken = new Map();
  const reloads = history.state?.again ?? 0; // number of automatic reloads

  /** Fetches a file whose tag has failed, so that the next load finds it in the cache. @param {string} name */
  const refetch = (name) => {
    if (broken.has(name)) return;
    const fetched = name !== 'index.html' ? bring(name, undefined, ['reload'])
      : Promise.reject(new Trouble(words('damaged', name)));
    broken.set(name, fetched.then(() => '', (e) => e.message));
    if (broken.size === 1) reloadOrExplain();
  };

  /** Waits until all broken files have been fetched again, then reloads the page, at most three times, or shows what is
   * wrong. */
  async function reloadOrExplain() {
    // The document may be older than its files.
    const isOnline = await fetch(location.href, { cache: 'reload' }).then((answer) => answer.ok, () => false);
    let messages = /** @type {string[]} */ ([]); // "" for a file that was fetched
    while (messages.length < broken.size) messages = await Promise.all(broken.values());
    if (isOnline && reloads < (messages.join('') ? 1 : 3)) {
      history.replaceState({ again: reloads + 1 }, '');
      return location.reload();
    }
    const loading = document.readyState === 'loading';
    if (loading) await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    const box = document.getElementById('boot') ?? Object.assign(document.createElement('p'), { id: 'boot' });
    if (!box.isConnected) document.body.prepend(box);
    reload(box, messages.join(' ') || words('damaged', [...broken.keys()]), ' ');
  }

  addEventListener('error', (e) => {
    const el = /** @type {any} */ (e.target);
    if (el?.integrity) refetch(el.getAttribute('src') ?? el.getAttribute('href'));
  }, true);
  document.addEventListener('DOMContentLoaded', () => {
    if (!document.getElementById('dropping')) refetch('index.html');
  });
  addEventListener('load', () => { if (reloads && !broken.size) history.replaceState(null, ''); });
}
