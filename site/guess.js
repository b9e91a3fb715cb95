// Questions of lessons that ask for a guess before the run. A form has the range of the slider (data-low, data-high), the
// number of the lab (data-number), and the names of the guess and the number (data-yours, data-ours). The slider is
// logarithmic if the range begins above 0 and spans a factor of 1,000. After the guess, both are shown on one axis.

/** @param {HTMLFormElement} form */
function scale(form) {
  const [low, high] = [Number(form.dataset.low), Number(form.dataset.high)];
  const log = low > 0 && high / low >= 1000;
  return {
    /** The value at a share of the axis. @param {number} share */
    at: (share) => (log ? low * (high / low) ** share : low + (high - low) * share),
    /** The share of the axis at a value. @param {number} x */
    share: (x) => Math.min(Math.max(log ? Math.log(x / low) / Math.log(high / low) : (x - low) / (high - low), 0), 1),
  };
}

/** @param {number} x */
const text = (x) => x.toLocaleString(document.documentElement.lang, { maximumSignificantDigits: 2 });

/** @param {HTMLFormElement} form */
const guessed = (form) => scale(form).at(Number(/** @type {HTMLInputElement} */ (form.querySelector('input')).value) / 1000);

/** Shows the guess beside the slider. @param {HTMLFormElement} form */
function read(form) {
  const value = text(guessed(form));
  /** @type {HTMLElement} */ (form.querySelector('output')).textContent = value;
  /** @type {HTMLElement} */ (form.querySelector('input')).setAttribute('aria-valuetext', value);
}

/** Shows guess and number on one axis. @param {HTMLFormElement} form */
function answer(form) {
  const { yours = '', ours = '', number = '' } = form.dataset;
  const said = form.querySelector('p span')?.textContent;
  const axis = document.createElement('div');
  axis.className = 'guess-axis';
  for (const [name, x, shown] of /** @type {[string, number, string][]} */ ([[yours, guessed(form), text(guessed(form))],
    [ours, Number(number), said]])) {
    const mark = document.createElement('i');
    const label = document.createElement('b');
    const share = scale(form).share(x);
    mark.style.left = `${100 * share}%`;
    label.textContent = `${name}: ${shown}`;
    label.dataset.side = share > .5 ? 'left' : 'right';
    mark.append(label);
    axis.append(mark);
  }
  form.querySelector('.guess-axis')?.remove();
  form.append(axis);
  axis.setAttribute('role', 'status');
}

/** Handles the questions of a document, before its other listeners. @param {Document} page */
export function watchGuesses(page) {
  for (const form of page.querySelectorAll('form.guess')) read(/** @type {HTMLFormElement} */ (form));
  for (const [kind, act] of /** @type {[string, (f: HTMLFormElement) => void][]} */ ([['input', read], ['change', read],
    ['submit', answer]])) {
    page.addEventListener(kind, (e) => {
      const form = /** @type {Element} */ (e.target).closest('form.guess');
      if (!form) return;
      e.stopPropagation();
      e.preventDefault();
      act(/** @type {HTMLFormElement} */ (form));
    }, true);
  }
}
