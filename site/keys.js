// Keys go to the brain, but for those that the focused control needs itself.
import { $ } from './view.js';

/** @param {() => import('./view.js').View | null} view @param {import('./picture.js').Picture} picture
 * @param {(el: Element, enter?: boolean) => void} sendValue @param {(key: string) => void} send */
export function watchKeys(view, picture, sendValue, send) {
  document.addEventListener('keydown', (e) => {
    const at = /** @type {Element} */ (e.target);
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (e.key === 'Enter' && at.matches('#setup input[type=text]')) return sendValue(at, true);
    // What was recorded is gone through in the picture, unless a control has its own use for the key.
    const leaves = e.key === 'Escape' && view()?.theme === 'projector';
    const free = !leaves && !$('sheet').open && !at.closest('[role=tablist], input, textarea, select, [tabindex="0"]');
    if (/^(Arrow(Left|Right)|Home|End|Escape)$/.test(e.key) && free && picture.key(e.key)) return e.preventDefault();
    if (!/^( |ArrowRight|Escape|\?|[rRnN1-9])$/.test(e.key)) return;
    if (at.closest('[role=tablist]') && e.key === 'ArrowRight') return;
    if (at.closest('input[type=text], textarea, select') || $('sheet').open && e.key !== 'Escape') return;
    const slides = e.key === 'ArrowRight' && at.closest('[type=range]');
    if (at.closest('button, a, input, summary') && (e.key === ' ' || slides)) return;
    e.preventDefault();
    send(e.key);
  });
}
