// The tabs of scenes: scrolled into sight, and walked through with the arrow keys.

let tabShown = ''; // ids of the selected tabs

/** Scrolls the tabs, where they are too many for a phone, so that a newly selected one is seen whole. */
export function showTab() {
  const tabs = [...document.querySelectorAll('[role="tab"][aria-selected="true"]')];
  if (String(tabs.map((t) => t.id)) === tabShown) return;
  tabShown = String(tabs.map((t) => t.id));
  for (const tab of tabs) {
    const list = /** @type {Element} */ (tab.parentElement);
    const [at, room] = [tab, list].map((x) => x.getBoundingClientRect());
    list.scrollLeft += Math.max(0, at.right - room.right) - Math.max(0, room.left - at.left);
  }
}

document.addEventListener('keydown', (e) => {
  const list = e.target instanceof Element && e.target.closest('[role=tablist]');
  const way = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (!list || !way) return;
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('button')]);
  const next = tabs[tabs.indexOf(/** @type {HTMLElement} */ (e.target)) + way];
  next?.focus();
  next?.click();
});
