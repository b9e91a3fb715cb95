// The beginning of the page. `tool dist` writes it into index.html, so that it is there whatever else is not. Every
// other file is verified by its content hash: styles and scripts by the browser (their tags carry it), what is fetched
// by bring. What did not pass is asked for once more, past every cache; if that does not help, the page says which
// file it is and what to do, and forgets all that was kept of the site, so that the next load starts clean.

{
  // The theme that the link asks for, before the first painting: a projector must not show a desk for a moment.
  const asked = (location.hash + location.search).match(/view\.(?:theme=(light|dark|projector)|(projector)(?!=[^1]))/);
  if (asked) document.documentElement.dataset.theme = asked[1] ?? asked[2];
  // What an embedded page leaves out, from the first painting on; the controller says it again, and better.
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

  /** The element with an id, whose kind the caller knows. @param {string} id @returns {any} */
  const $ = (id) => document.getElementById(id);
  // The hero in the page is English, and the lab is that of the address #lab (view.Shell). For another link, what differs
  // is hidden from the first painting on (lab.css) until its own is there, from here or from the controller.
  const hero = document.documentElement.matches('[data-hero]');
  document.documentElement.toggleAttribute('data-link', !hero && location.hash !== '#lab');
  document.addEventListener('readystatechange', () => { // before the deferred scripts
    if (document.readyState !== 'interactive' || !$('dropping')) return; // or the page was cut short
    const speaks = $(`hero-${language()}`)?.content.firstElementChild;
    if (speaks) $('hero').replaceChildren(...speaks.childNodes);
    if (speaks && hero) document.documentElement.lang = language();
    if (document.documentElement.matches('[data-link]')) fill(new URLSearchParams((location.hash ||
      dataOf('alone').link || '').slice(1)));
  });

  /** Shows the model, methods, seed and scenes of a link, as far as they are known here.
   * @param {URLSearchParams} link */
  function fill(link) {
    /** @type {{methods: Record<string, string[]>, labels: Record<string, string>, tabs: Record<string, string>,
     *   models: Record<string, number>, openings: {methods?: string[], scene: string, tabs: string}[][]}} */
    const known = dataOf('first');
    const [select, row] = [$('model'), $('methods').firstElementChild];
    const [model, seed] = [link.get('model') ?? select.value, link.get('seed') ?? $('seed').value];
    const methods = link.get('method')?.split(',') ?? [row.dataset.key];
    const [by, of] = document.querySelectorAll('.r-of > span + span');
    if (!link.has('v') && [...link.keys()].some((key) => !/^view\./.test(key)) ||
      !methods.every((name) => Object.hasOwn(known.methods, name))) return; // no experiment
    /** @param {any[]} all */
    const own = (...all) => all.forEach((el) => el.toggleAttribute('data-own', true));

    // Methods; the number of one of them is large.
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
    own($('seed'), $('methods'), by);

    // A built-in model.
    const openings = known.openings[known.models[model]];
    if (!openings) return;
    for (const el of select.options) el.toggleAttribute('selected', el.value === model);
    of.textContent = `${of.textContent}`.replace(/^[^,]*/, model).replace(/\d+$/, seed);

    // Its scenes: the tabs of all methods, and which of them is on show.
    const opens = methods.map((name) => /** @type {typeof openings[0]} */ (
      openings.find((some) => some.methods?.includes(name) ?? true)));
    const tabs = opens.map((some) => some.tabs.split(' '));
    const names = tabs.reduce((a, b) => (b.length > a.length ? b : a)).map((name) => name.replace('!', ''));
    const shows = (/** @type {string} */ name) => tabs.some((list) => list.includes(name));
    const tabOf = (/** @type {string} */ name) => known.tabs[name] ?? name;
    const asked = tabOf(link.get('view.scene') ?? '');
    const on = names.includes(asked) && shows(asked) ? asked : tabOf(opens[0].scene);
    const tab = $('tabs').firstElementChild;
    $('tabs').replaceChildren(...names.map((name) => {
      const next = Object.assign(tab.cloneNode(), { id: `tab-${name}`, title: '', textContent: known.labels[name],
        ariaSelected: String(name === on), ariaDisabled: String(!shows(name)), tabIndex: name === on ? 0 : -1 });
      next.dataset.scene = name;
      return next;
    }));
    own(select, of, $('tabs'));
  }

  /** A failure in words for people: what happened, and what to do. */
  class Trouble extends Error {}

  /** @param {string} id */
  const dataOf = (id) => JSON.parse(document.getElementById(id)?.textContent || '{}');

  /** The language that is asked for, if the site has it, else English. */
  const language = () => {
    const asked = `${location.hash} ${location.search}`.match(/lang=(\w+)/)?.[1] ?? navigator.language.slice(0, 2);
    return Object.hasOwn(dataOf('words'), asked) ? asked : 'en';
  };

  /** The few words that the page needs before, or without, the calculation, from the catalogues of every
   * language; {0}, {1} are filled in. @param {string} key @param {unknown[]} args */
  const words = (key, ...args) => {
    const said = dataOf('words')[language()]?.[key] ?? `${key} {0} {1}`;
    return said.replace(/\{(\d)\}/g, (/** @type {string} */ _, /** @type {number} */ i) => String(args[i] ?? ''));
  };

  /** Says what is wrong, with a button that loads the page again.
   * @param {HTMLElement} box @param {(string | Node)[]} says */
  const reload = (box, ...says) => {
    box.dataset.level = 'error';
    box.replaceChildren(...says, Object.assign(document.createElement('button'),
      { type: 'button', textContent: words('reload'), onclick: () => location.reload() }));
  };

  /** Forgets what the service worker keeps, and the worker. */
  async function forget() {
    try { // there are none over plain http, and where storage is refused
      await (await navigator.serviceWorker.getRegistration())?.unregister();
      for (const name of await caches.keys()) if (name.startsWith('logzlab ')) await caches.delete(name);
    } catch { /* then nothing was kept */ }
  }

  /** A file that stands in the page itself, if that was saved as one file (alone.js). @param {string} name */
  const inside = (name) => {
    const text = document.getElementById(`file ${name}`)?.textContent;
    return text ? new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))]) : null;
  };

  /** Fetches a file of the site, whole and verified. @param {string} name
   * @param {(answer: Response) => Promise<Blob>} take reads the answer; what else it makes of it is not verified yet
   * @param {RequestCache[]} modes of the attempts */
  async function bring(name, take = (answer) => answer.blob(), modes = ['default', 'reload']) {
    let [trouble, damaged] = ['', false];
    for (const cache of modes) {
      trouble = words(location.protocol === 'file:' ? 'file' : 'noanswer', name);
      const own = inside(name);
      const answer = own ? new Response(own) : await fetch(name, { cache }).catch(() => null);
      if (!answer) continue;
      const kind = answer.headers.get('Content-Type') ?? '?';
      const page = /html/.test(kind) && !/html/.test(name);
      trouble = answer.ok ? words(page ? 'else' : 'damaged', name, kind) : words('status', name, answer.status);
      const data = answer.ok && await take(answer).catch(() => null);
      if (data && await passes(data, dataOf('files')[name])) return data;
      damaged ||= answer.ok;
    }
    if (damaged) await forget();
    throw new Trouble(trouble);
  }

  /** Whether data have one of the hashes. The browser compares them, also where there is no crypto.subtle.
   * @param {Blob} data @param {string | undefined} integrity */
  async function passes(data, integrity) {
    const url = URL.createObjectURL(data);
    const good = !!integrity && await fetch(url, { integrity }).then(() => true, () => false);
    URL.revokeObjectURL(url);
    return good;
  }

  // A page that opens with a lecture never shows the lab before.
  if (/[#&]view\.deck=/.test(location.hash)) document.documentElement.toggleAttribute('data-deck', true);

  Object.assign(window, { boot: /** @type {Boot} */ ({ bring, inside, words, language, reload, Trouble }) });

  // Names of files whose tags have failed, and what became of them.
  /** @type {Map<string, Promise<string>>} */ const broken = new Map();
  const again = history.state?.again ?? 0; // how often the page has reloaded itself

  /** Fetches a file that its tag did not get, for the next load to have it. @param {string} name */
  const lost = (name) => {
    if (broken.has(name)) return;
    const fetched = name !== 'index.html' ? bring(name, undefined, ['reload'])
      : Promise.reject(new Trouble(words('damaged', name)));
    broken.set(name, fetched.then(() => '', (e) => e.message));
    if (broken.size === 1) mend();
  };

  async function mend() {
    // The page itself may be an old one, and its files new.
    const there = await fetch(location.href, { cache: 'reload' }).then((answer) => answer.ok, () => false);
    let said = /** @type {string[]} */ ([]);
    while (said.length < broken.size) said = await Promise.all(broken.values());
    if (there && again < (said.join('') ? 1 : 3)) {
      history.replaceState({ again: again + 1 }, '');
      return location.reload();
    }
    const loading = document.readyState === 'loading';
    if (loading) await new Promise((done) => document.addEventListener('DOMContentLoaded', done));
    const box = document.getElementById('boot') ?? Object.assign(document.createElement('p'), { id: 'boot' });
    if (!box.isConnected) document.body.prepend(box);
    reload(box, said.join(' ') || words('damaged', [...broken.keys()]), ' ');
  }

  addEventListener('error', (e) => {
    const el = /** @type {any} */ (e.target);
    if (el?.integrity) lost(el.getAttribute('src') ?? el.getAttribute('href'));
  }, true);
  document.addEventListener('DOMContentLoaded', () => {
    if (!document.getElementById('dropping')) lost('index.html');
  });
  addEventListener('load', () => { if (again && !broken.size) history.replaceState(null, ''); });
}
