// Keyboard shortcuts: keys are sent to the controller unless the focused control uses them. In a lecture most keys turn
// its steps.
import { $ } from './view.js';

/** Reports whether a key turns the steps of a lecture. A key does not if the focused control uses it.
 * @param {KeyboardEvent} e @param {Element} focused */
function turnsSteps(e, focused) {
  if (/^Page(Up|Down)$/.test(e.key)) return true;
  if (/^( |Enter|n|b|\.)$/i.test(e.key)) return !focused.closest('button, a');
  return /^(Arrow(Left|Right|Up|Down)|Home|End|Backspace)$/.test(e.key) &&
    !(focused.matches('input') && focused.matches(':focus-visible'));
}

let tabLeaves = false; // Esc was the last key in a text field: the next Tab leaves the field

/** Handles keys in a text field: Tab indents, unless Esc was pressed before; Ctrl+Enter compiles the program.
 * @param {KeyboardEvent} e */
function handleTextKey(e) {
  const compiles = e.key === 'Enter' && (e.ctrlKey || e.metaKey);
  const indents = e.key === 'Tab' && !e.shiftKey && !tabLeaves;
  if (compiles) $('compile')?.click();
  if (indents) document.execCommand('insertText', false, '  ');
  if (compiles || indents || e.key === 'Escape' && !tabLeaves) e.preventDefault();
  tabLeaves = e.key === 'Escape';
}

/** Watches keys. It returns the handler of a key event, which another window can use as well. view returns the last view,
 * sendValue sends the value of a control, and send sends a key to the controller.
 * @param {() => View | null} view @param {import('./picture.js').Picture} picture
 * @param {(el: Element, enter?: boolean) => void} sendValue @param {(key: string) => void} send */
export function watchKeys(view, picture, sendValue, send) {
  /** @param {KeyboardEvent} e */
  const press = (e) => {
    const focused = /** @type {Element} */ (e.target);
    if (focused.matches('textarea')) return handleTextKey(e);
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    // S shows the next phase of the picture, also in a lecture.
    const typing = focused.closest('input, select, textarea');
    if (/^s$/i.test(e.key) && !typing && !$('sheet').open && picture.key(e.key)) return e.preventDefault();
    if (view()?.deck && !$('sheet').open && turnsSteps(e, focused)) {
      e.preventDefault();
      return send(e.key);
    }
    if (e.key === 'Enter' && focused.matches('#setup input[type=text]')) return sendValue(focused, true);
    const tabs = /** @type {HTMLElement[]} */ ([...focused.closest('[role=tablist]')?.querySelectorAll('button') ?? []]);
    const direction = tabs.length && { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (direction) {
      const next = tabs[tabs.indexOf(/** @type {HTMLElement} */ (focused)) + direction];
      next?.focus();
      return next?.click();
    }
    // Arrow keys move through the recording of the picture, unless a control uses the key.
    const leavesProjector = e.key === 'Escape' && view()?.theme === 'projector';
    const isFree = !leavesProjector && !$('sheet').open && !focused.closest('[role=tablist], input, textarea, select, [tabindex="0"]');
    if (/^(Arrow(Left|Right)|Home|End|Escape)$/.test(e.key) && isFree && picture.key(e.key)) return e.preventDefault();
    if (!/^( |ArrowRight|Escape|\?|[rRnN1-9])$/.test(e.key)) return;
    const isTyped = focused.closest('input[type=text], select') || focused.matches('[type=search]') && e.key !== 'Escape';
    if (isTyped || $('sheet').open && e.key !== 'Escape') return;
    const movesSlider = e.key === 'ArrowRight' && focused.closest('[type=range]');
    if (focused.closest('button, a, input, summary') && (e.key === ' ' || movesSlider)) return;
    e.preventDefault();
    send(e.key);
  };
  document.addEventListener('keydown', press);
  return press;
}
