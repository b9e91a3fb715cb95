// Keys go to the controller, except those that the focused control uses. Lectures have their own keys.
import { $ } from './view.js';

/** Reports whether a key turns the steps of a lecture. It does not if a control with keyboard focus uses it.
 * @param {KeyboardEvent} e @param {Element} at */
function turns(e, at) {
  if (/^Page(Up|Down)$/.test(e.key)) return true;
  if (/^( |Enter|n|b|\.)$/i.test(e.key)) return !at.closest('button, a');
  return /^(Arrow(Left|Right|Up|Down)|Home|End|Backspace)$/.test(e.key) &&
    !(at.matches('input') && at.matches(':focus-visible'));
}

let leaves = false; // Esc was pressed in a text field, so that Tab leaves it

/** Handles keys in a text field: Tab indents, unless Esc was pressed before; Ctrl+Enter compiles. @param {KeyboardEvent} e */
function types(e) {
  const runs = e.key === 'Enter' && (e.ctrlKey || e.metaKey);
  const indents = e.key === 'Tab' && !e.shiftKey && !leaves;
  if (runs) $('compile')?.click();
  if (indents) document.execCommand('insertText', false, '  ');
  if (runs || indents || e.key === 'Escape' && !leaves) e.preventDefault();
  leaves = e.key === 'Escape';
}

/** @param {() => View | null} view @param {import('./picture.js').Picture} picture
 * @param {(el: Element, enter?: boolean) => void} sendValue @param {(key: string) => void} send */
export function watchKeys(view, picture, sendValue, send) {
  /** @param {KeyboardEvent} e */
  const press = (e) => {
    const at = /** @type {Element} */ (e.target);
    if (at.matches('textarea')) return types(e);
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    // One phase of the picture, also in a lecture, whose arrow keys turn its steps.
    const typing = at.closest('input, select, textarea');
    if (/^s$/i.test(e.key) && !typing && !$('sheet').open && picture.key(e.key)) return e.preventDefault();
    if (view()?.deck && !$('sheet').open && turns(e, at)) {
      e.preventDefault();
      return send(e.key);
    }
    if (e.key === 'Enter' && at.matches('#setup input[type=text]')) return sendValue(at, true);
    const tabs = /** @type {HTMLElement[]} */ ([...at.closest('[role=tablist]')?.querySelectorAll('button') ?? []]);
    const way = tabs.length && { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (way) {
      const next = tabs[tabs.indexOf(/** @type {HTMLElement} */ (at)) + way];
      next?.focus();
      return next?.click();
    }
    // Arrow keys move through the recording of the picture, unless a control uses the key.
    const leaves = e.key === 'Escape' && view()?.theme === 'projector';
    const free = !leaves && !$('sheet').open && !at.closest('[role=tablist], input, textarea, select, [tabindex="0"]');
    if (/^(Arrow(Left|Right)|Home|End|Escape)$/.test(e.key) && free && picture.key(e.key)) return e.preventDefault();
    if (!/^( |ArrowRight|Escape|\?|[rRnN1-9])$/.test(e.key)) return;
    const typed = at.closest('input[type=text], select') || at.matches('[type=search]') && e.key !== 'Escape';
    if (typed || $('sheet').open && e.key !== 'Escape') return;
    const slides = e.key === 'ArrowRight' && at.closest('[type=range]');
    if (at.closest('button, a, input, summary') && (e.key === ' ' || slides)) return;
    e.preventDefault();
    send(e.key);
  };
  document.addEventListener('keydown', press);
  return press;
}
