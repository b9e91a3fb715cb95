// Updates the document to the markup that the controller makes in Go. Only what differs is changed, so that focus,
// selection and the iframe of the picture are kept, and a control is never overwritten while the user types in it.

/** @param {string} id @returns {any} the element; the caller knows its type */
export const $ = (id) => document.getElementById(id);

/** Values last painted or sent, to recognise a change by the user. @type {WeakMap<Element, string>} */
const shown = new WeakMap();
/** Controls with an event that the controller has not answered yet, with its number. @type {Map<Element, number>} */
const pending = new Map();
/** The newest markup of each part. @type {Map<string, Element>} */
const parts = new Map();
let tabShown = ''; // ids of the selected tabs

/** Reports whether the value of a control has changed since it was painted or sent. @param {any} el */
export const isNews = (el) => valueOf(el) !==
  (shown.get(el) ?? (ticked(el) ? String(el.defaultChecked) : el.defaultValue));

/** Protects a control from being overwritten by views older than event n. @param {any} el @param {number} n */
export function hold(el, n) {
  shown.set(el, valueOf(el));
  pending.set(el, n);
}

/** Forgets all unanswered events, after the controller has ended. */
export const release = () => pending.clear();

/** Returns the element of a piece of markup. @param {string} html */
export function made(html) {
  const box = document.createElement('template');
  box.innerHTML = html;
  return /** @type {Element} */ (box.content.firstElementChild);
}

/** @param {View} v @param {boolean} [all] also paint parts that did not change, for controls that were protected before */
export function paint(v, all = false) {
  for (const [el, n] of pending) if (n <= v.seen) all = pending.delete(el);
  for (const [id, html] of Object.entries(v.parts)) parts.set(id, made(html));
  parts.forEach((next, id) => { if (all || id in v.parts) morph($(id), next); });
  const root = document.documentElement;
  root.removeAttribute('data-link'); // the page now shows the link's experiment
  set(root, 'lang', v.lang === 'xx' ? 'en' : v.lang);
  root.toggleAttribute('data-deck', v.deck);
  for (const k of /** @type {const} */ (['hide', 'embed', 'state', 'sheet'])) set(root, `data-${k}`, String(v[k]));
  const dialog = $('sheet');
  const beside = dialog.dataset.beside === 'true';
  if (dialog.open && dialog.matches(':modal') === beside) dialog.close();
  if (dialog.dataset.open && !dialog.open) beside ? dialog.show() : dialog.showModal();
  else if (!dialog.dataset.open && dialog.open) dialog.close();
  if (!all && v.point) $(v.point).scrollIntoView({ block: 'nearest' });
  if (!all) for (const id of v.focus.split(' ')) $(id)?.focus({ preventScroll: v.point !== '' });
  showTab();
}

/** Scrolls the row of tabs so that a newly selected tab is visible. */
function showTab() {
  const tabs = [...document.querySelectorAll('[role="tab"][aria-selected="true"]')];
  if (String(tabs.map((t) => t.id)) === tabShown) return;
  tabShown = String(tabs.map((t) => t.id));
  for (const tab of tabs) {
    const list = /** @type {Element} */ (tab.parentElement);
    const [at, room] = [tab, list].map((x) => x.getBoundingClientRect());
    list.scrollLeft += Math.max(0, at.right - room.right) - Math.max(0, room.left - at.left);
  }
}

/** Changes an element to equal another one. @param {any} old @param {any} next */
export function morph(old, next) {
  for (const { name, value } of next.attributes) set(old, name, value);
  if (!next.hasAttribute('data-keep')) {
    for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
  }
  if (next.dataset.keep === 'all') return; // scripts of the page change its content
  const mine = [...old.childNodes];
  /** @type {Map<string, any>} */ const keyed = new Map();
  for (const el of mine) if (key(el)) keyed.set(key(el), el);
  let at = old.firstChild;
  for (const child of next.childNodes) {
    const k = key(child);
    let el = k ? keyed.get(k) : at;
    if (el && (el.nodeName !== child.nodeName || key(el) !== k)) el = null;
    if (!el) el = old.insertBefore(document.importNode(child, true), at);
    else {
      if (el !== at) old.insertBefore(el, at);
      if (child.nodeType === Node.TEXT_NODE) {
        if (el.data !== child.data) el.data = child.data;
      } else morph(el, child);
    }
    at = el.nextSibling;
  }
  while (at && old.lastChild !== at) old.lastChild.remove();
  at?.remove();
  if (old.matches('input:not([type=file]), select, textarea')) setValue(old, next);
}

/** Returns the key that identifies an element among its siblings. @param {any} el */
const key = (el) => el.id || el.dataset?.key || '';

/** Sets the value of a control, unless the user is editing it. @param {any} el @param {any} next */
function setValue(el, next) {
  const edited = /^text/.test(el.type) || el.type === 'range' && el.matches(':active');
  if (pending.has(el) || el === document.activeElement && edited) return;
  if (ticked(el)) el.checked = next.checked;
  else if (el.value !== next.value) el.value = next.value;
  shown.set(el, valueOf(el));
}

/** @param {any} el */
const ticked = (el) => el.type === 'checkbox' || el.type === 'radio';

/** @param {any} el */
const valueOf = (el) => (ticked(el) ? String(el.checked) : el.value);

/** @param {Element} el @param {string} name @param {string} value */
function set(el, name, value) {
  if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}
