// The few words that the page needs before, or without, the calculation. They come
// from Go's string table by way of index.html, in every language.

/** Fills {0}, {1} of a text in. @param {string} key @param {unknown[]} args */
export function words(key, ...args) {
  const page = document.getElementById('words') ? window : window.parent; // the stage asks its page
  const all = JSON.parse(page.document.getElementById('words')?.textContent || '{}');
  const asked = `${page.location.search} ${page.location.hash}`.match(/lang=(\w+)/)?.[1] ?? navigator.language.slice(0, 2);
  const said = (all[asked] ?? all.en)?.[key] ?? key;
  return said.replace(/\{(\d)\}/g, (/** @type {string} */ _, /** @type {number} */ i) => String(args[i]));
}
