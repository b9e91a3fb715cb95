// Paints view models that the brain computed in Go. No decision is made here:
// the same view always gives the same page. Only what changed is touched, and a
// control is never replaced or overwritten while somebody is typing in it.

/**
 * @typedef {{name: string, label: string, about?: string, kind?: string, on?: boolean}} Named
 * @typedef {{key: string, label: string, method: string, value: string, type: string, choices?: string[], min?: number, max?: number, help: string}} Param
 * @typedef {{field: string, label: string, help: string}} Field
 * @typedef {{text: string, value?: string, faint?: number}} Cell faint: trailing characters that the error bar reaches
 * @typedef {{method: string, label: string, state: string, provisional?: boolean, cells: Record<string, Cell>, notes?: string[]}} Row
 * @typedef {{level: string, text: string, action?: {label: string, event: string, value?: string} | null}} Message
 * @typedef {{label: string, disabled?: boolean}} Button
 * @typedef {{
 *   link: string, state: string, seen?: number, models: Named[], model: string, about?: string,
 *   methods: Named[], params: Param[], seed: string, replicates: string,
 *   fields: Field[], rows: Row[], message?: Message | null, summary: string,
 *   progress: {fraction: number, text: string}, buttons: Record<string, Button>,
 *   scenes: Named[], scene: string, caption: string}} View seen: number of the newest event it answers
 */

/** @param {string} id @returns {any} the element, whose kind the caller knows */
export const $ = (id) => document.getElementById(id);

/** Values as last painted or sent: tells a user's change from an old value. @type {WeakMap<Element, string>} */
const shown = new WeakMap();
/** Controls whose event the brain has not answered yet, by event number. @type {Map<Element, number>} */
const pending = new Map();

/** Whether the user's value of a control is news to the brain. @param {HTMLInputElement | HTMLSelectElement} el */
export const isNews = (el) => valueOf(el) !== shown.get(el);

/** Protects a control from views older than event n. @param {HTMLInputElement | HTMLSelectElement} el @param {number} n */
export function hold(el, n) {
  shown.set(el, valueOf(el));
  pending.set(el, n);
}

/** Forgets all open events, when the brain that should answer them is gone. */
export const release = () => pending.clear();

/** @param {View} v */
export function paint(v) {
  for (const [el, n] of pending) if (n <= (v.seen ?? n)) pending.delete(el);
  document.body.dataset.state = v.state;
  paintSetup(v);
  paintButtons(v);
  paintResults(v);
  text($('summary'), v.summary);
  paintProgress(v.progress.text);
  attr($('progress'), 'value', String(v.progress.fraction));
  keyed($('tabs'), v.scenes, (s) => s.name, (s) => make('button', { type: 'button', role: 'tab', 'data-scene': s.name }), (el, s) => {
    text(el, s.label);
    attr(el, 'aria-selected', String(s.name === v.scene));
    attr(el, 'tabindex', s.name === v.scene ? '0' : '-1');
  });
  paintCaption(v.caption);
}

/** @param {View} v */
function paintSetup(v) {
  const kinds = [...new Set(v.models.map((m) => m.kind || ''))];
  keyed($('model'), kinds, (k) => k, (k) => make('optgroup', { label: k }), (group, kind) => {
    keyed(group, v.models.filter((m) => (m.kind || '') === kind), (m) => m.name, (m) => make('option', { value: m.name }), (el, m) => text(el, m.label));
  });
  setValue($('model'), v.model);
  text($('model-about'), v.about || '');
  setValue($('seed'), v.seed);
  setValue($('replicates'), v.replicates);
  keyed($('methods'), v.methods, (m) => m.name, (m) => {
    const li = make('li');
    const label = li.appendChild(make('label'));
    label.append(make('input', { type: 'checkbox', name: 'method', value: m.name }), make('b'), make('span', { class: 'why' }));
    return li;
  }, (li, m) => {
    const [box, name, about] = li.children[0].children;
    setValue(/** @type {HTMLInputElement} */ (box), String(!!m.on));
    text(name, m.label);
    text(about, m.about || '');
  });
  const owners = [...new Set(v.params.map((p) => p.method))];
  keyed($('params'), owners, (m) => m, (m) => {
    const box = make('details', { open: '', 'data-method': m });
    box.append(make('summary'), make('div'));
    return box;
  }, (box, m) => {
    text(box.children[0], `${v.methods.find((x) => x.name === m)?.label ?? m} settings`);
    keyed(box.children[1], v.params.filter((p) => p.method === m), (p) => `${p.key} ${p.type} ${p.choices || ''}`, makeParam, paintParam);
  });
}

/** @param {Param} p */
function makeParam(p) {
  const id = `p-${p.key}`;
  const choice = p.type === 'choice';
  const div = make('div', { class: 'param', 'data-type': p.type });
  const control = make(choice ? 'select' : 'input', { id, 'data-param': p.key, 'aria-describedby': `${id}-help` });
  if (!choice) {
    const mode = p.type === 'int' ? 'numeric' : p.type === 'float' ? 'decimal' : 'text';
    for (const [k, x] of Object.entries({ type: 'text', inputmode: mode, autocomplete: 'off', spellcheck: 'false' })) attr(control, k, x);
  }
  if (p.min !== undefined && p.max !== undefined) attr(control, 'title', `from ${p.min.toLocaleString('en')} to ${p.max.toLocaleString('en')}`);
  const list = choice ? control : make('datalist', { id: `${id}-list` });
  for (const c of p.choices || []) list.appendChild(make('option', { value: c })).textContent = choice ? c : '';
  div.append(make('label', { for: id }), control, make('p', { class: 'why', id: `${id}-help` }));
  if (!choice && p.choices?.length) {
    attr(control, 'list', list.id);
    div.append(list);
  }
  return div;
}

/** @param {HTMLElement} div @param {Param} p */
function paintParam(div, p) {
  text(div.children[0], p.label);
  setValue(/** @type {HTMLInputElement} */ (div.children[1]), p.value);
  text(div.children[2], p.help);
}

/** @param {View} v */
function paintButtons(v) {
  for (const [id, b] of Object.entries(v.buttons)) {
    const el = $(id);
    if (!el) continue;
    text(el.querySelector('.word'), b.label);
    if (el.disabled !== !!b.disabled) el.disabled = !!b.disabled;
  }
}

/** @param {View} v */
function paintResults(v) {
  const first = { field: '', label: 'Method', help: 'The estimator, and where its run stands.' };
  keyed($('heads'), [first, ...v.fields], (f) => f.field, () => make('th', { scope: 'col', role: 'columnheader' }), (th, f) => {
    text(th, f.label);
    attr(th, 'title', f.help);
  });
  keyed($('rows'), v.rows, (r) => r.method, (r) => {
    const tr = make('tr', { role: 'row', 'data-method': r.method });
    const th = tr.appendChild(make('th', { scope: 'row', role: 'rowheader' }));
    const of = make('span', { class: 'of' });
    of.append(make('span', { class: 'math' }), ' by');
    of.children[0].append('log ', make('i'));
    of.children[0].children[0].textContent = 'Z';
    th.append(mark(v.rows.indexOf(r)), of, make('b'), make('span', { class: 'state' }));
    return tr;
  }, (tr, r) => paintRow(tr, r, v.fields));
  keyed($('help'), v.fields, (f) => f.field, () => {
    const div = make('div');
    div.append(make('dt'), make('dd'));
    return div;
  }, (div, f) => {
    text(div.children[0], f.label);
    text(div.children[1], f.help);
  });
}

/** @param {HTMLElement} tr @param {Row} r @param {Field[]} fields */
function paintRow(tr, r, fields) {
  attr(tr, 'data-state', r.state);
  attr(tr, 'data-provisional', r.provisional ? 'true' : null);
  const [, , name, state] = tr.children[0].children;
  text(name, r.label);
  text(state, r.provisional ? `${r.state}, so far` : r.state);
  const notes = r.notes?.length ? [{ field: '', label: '', help: '' }] : [];
  const cells = /** @type {HTMLElement} */ (tr);
  keyed(cells, [...fields, ...notes], (f) => f.field, (f) => (f.field
    ? make('td', { role: 'cell', 'data-field': f.field })
    : make('td', { role: 'cell', class: 'notes' })), (td, f) => {
    if (f.field) paintCell(td, r.cells[f.field], f);
    else keyed(td, r.notes || [], (n) => n, () => make('p'), (p, n) => text(p, n));
  }, 1);
}

/** @param {HTMLElement} td @param {Cell | undefined} cell @param {Field} f */
function paintCell(td, cell, f) {
  attr(td, 'data-label', f.label);
  attr(td, 'title', f.help);
  attr(td, 'data-value', cell?.value ?? '');
  const all = cell?.text ?? '';
  const faint = Math.min(cell?.faint ?? 0, all.length);
  if (td.textContent === all && (td.children[0]?.textContent?.length ?? 0) === faint) return;
  td.textContent = all.slice(0, all.length - faint);
  if (faint) td.appendChild(make('span', { class: 'soft' })).textContent = all.slice(-faint);
}

/** What is done stands above what is left: "41 %, about 3 s left". @param {string} progress */
export function paintProgress(progress) {
  const el = $('eta');
  if (el.textContent === progress) return;
  const [, done, comma, rest] = /** @type {RegExpMatchArray} */ (progress.match(/^(.*?)(, |$)(.*)$/s));
  el.textContent = '';
  for (const [tag, name, part] of [['b', '', done], ['span', 'vh', comma], ['span', 'rest', rest]]) {
    if (part) el.appendChild(make(tag, { class: name })).textContent = part;
  }
}

/** The first sentence of a caption stands out. @param {string} caption */
function paintCaption(caption) {
  const el = $('caption');
  if (el.textContent === caption) return;
  const end = caption.indexOf('. ') + 1 || caption.length;
  el.textContent = '';
  el.appendChild(make('b')).textContent = caption.slice(0, end);
  el.append(caption.slice(end));
  attr($('stage'), 'title', caption || 'Picture of the run');
}

/**
 * The one message bar. @param {Message | null | undefined} m
 */
export function paintMessage(m) {
  const bar = $('message');
  const key = m ? JSON.stringify(m) : '';
  if (bar.dataset.key === key) return;
  bar.dataset.key = key;
  bar.hidden = !m;
  bar.textContent = '';
  if (!m) return;
  attr(bar, 'data-level', m.level);
  bar.append(icon(`v-${m.level}`), make('p'));
  bar.lastChild.textContent = m.text;
  if (m.action) {
    const { label, event, value } = m.action;
    bar.appendChild(make('button', { type: 'button', 'data-event': event, 'data-value': value ?? '' })).textContent = label;
  }
}

/** Writes a value unless the user is in the field or the brain has yet to hear of a change. @param {HTMLInputElement | HTMLSelectElement} el @param {string} value */
function setValue(el, value) {
  if (pending.has(el)) return;
  if (el === document.activeElement && el instanceof HTMLInputElement && el.type === 'text') return;
  if (valueOf(el) !== value) {
    if (el.type === 'checkbox') /** @type {HTMLInputElement} */ (el).checked = value === 'true';
    else el.value = value;
  }
  shown.set(el, value);
}

/** @param {HTMLInputElement | HTMLSelectElement} el */
function valueOf(el) {
  return el.type === 'checkbox' ? String(/** @type {HTMLInputElement} */ (el).checked) : el.value;
}

/**
 * Makes the children of parent (after the first `keep`) match the items, reusing elements by key.
 * @template T
 * @param {Element} parent @param {T[]} items @param {(x: T) => string} key
 * @param {(x: T) => HTMLElement} create @param {(el: HTMLElement, x: T) => void} update
 */
function keyed(parent, items, key, create, update, keep = 0) {
  /** @type {Map<string, HTMLElement>} */
  const old = new Map();
  for (const el of Array.from(parent.children).slice(keep)) old.set(/** @type {any} */ (el).key, /** @type {HTMLElement} */ (el));
  items.forEach((x, i) => {
    const k = key(x);
    const el = old.get(k) ?? create(x);
    /** @type {any} */ (el).key = k;
    old.delete(k);
    const here = parent.children[keep + i] ?? null;
    if (here !== el) parent.insertBefore(el, here);
    update(el, x);
  });
  old.forEach((el) => el.remove());
}

/** @param {Element} el @param {string} s */
function text(el, s) {
  if (el.textContent !== s) el.textContent = s;
}

/** @param {Element} el @param {string} name @param {string | null} value null removes it */
function attr(el, name, value) {
  if (value === null) el.removeAttribute(name);
  else if (el.getAttribute(name) !== value) el.setAttribute(name, value);
}

/** @param {string} tag @param {Record<string, string>} [attrs] */
function make(tag, attrs = {}) {
  const el = document.createElement(tag);
  for (const [k, x] of Object.entries(attrs)) el.setAttribute(k, x);
  return el;
}

/** @param {string} id */
function icon(id) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'i');
  svg.setAttribute('aria-hidden', 'true');
  svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'use')).setAttribute('href', `#${id}`);
  return svg;
}

/** The mark of the i-th method: shape and colour, in list order. @param {number} i */
function mark(i) {
  const svg = icon(`m-${i % 3}`);
  svg.setAttribute('class', `m m-${i % 3}`);
  return svg;
}
