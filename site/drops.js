// Files that are dropped on the page or on the picture.
import { $ } from './view.js';

/** Passes on files dropped on a window: the page or the iframe of the picture.
 * @param {Window} win @param {(files: Iterable<File>) => void} choose */
export function watchDrops(win, choose) {
  /** @param {DragEvent} e @param {boolean} over */
  const drag = (e, over) => {
    if (!e.dataTransfer?.types.includes('Files')) return false;
    e.preventDefault();
    $('dropping').hidden = !over;
    return true;
  };
  win.addEventListener('dragenter', (e) => drag(e, true));
  win.addEventListener('dragover', (e) => drag(e, true));
  win.addEventListener('dragleave', (e) => { if (!e.relatedTarget) drag(e, false); });
  win.addEventListener('drop', (e) => { if (drag(e, false)) choose(e.dataTransfer?.files ?? []); });
}
