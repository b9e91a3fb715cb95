// Files dropped on the page or on the picture inside it.
import { $ } from './view.js';

/** Takes files dropped on a window: the page, or the picture inside it.
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

/** Three arrays of NumPy or more, a graph and its evidence, or a program and its data, that come together are one file
 * (modelfile.Parts).
 * @param {File[]} some */
export function joined(some) {
  const graph = some.filter((file) => /\.uai(\.gz)?$/i.test(file.name));
  const known = some.filter((file) => /\.evid$/i.test(file.name));
  const arrays = some.filter((file) => /\.npy$/i.test(file.name));
  const programs = some.filter((file) => /\.stan$/i.test(file.name));
  const values = some.filter((file) => /\.(json|csv)$/i.test(file.name));
  const both = programs.length === 1 && values.length === 1 && [...programs, ...values];
  const parts = both || (graph.length === 1 && known.length === 1 ? [...graph, ...known] : arrays);
  if (parts === arrays && arrays.length < 3) return some;
  const head = `logz-parts\n${parts.map((file) => `${file.size} ${file.name}`).join('\n')}\n\n`;
  const whole = new File([head, ...parts], parts.map((file) => file.name).join(','));
  return [whole, ...some.filter((file) => !parts.includes(file))];
}
