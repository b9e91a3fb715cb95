// The layout of the hero: the paper and the dreams.

/** The number of dreams (pictures that the model samples), and how many of them are on each side of the paper. */
const [DREAMS, HALF] = [24, 12];

/** Sets the size of a canvas in screen pixels. A canvas of the right size is not touched, since a new size clears it.
 * @param {HTMLCanvasElement} canvas @param {number} w @param {number} h */
export function fit(canvas, w, h) {
  if (canvas.width !== Math.round(w)) canvas.width = Math.round(w);
  if (canvas.height !== Math.round(h)) canvas.height = Math.round(h);
}

/** Places the paper in the middle and the dreams around it, both as large as possible.
 * @param {number} w @param {number} h @returns {Places} */
export function arrange(w, h) {
  /** @param {Places} layout */
  const quality = (layout) => layout.size + layout.paper.size / 6;
  return [1, 2, 3, 4].map((columns) => beside(w, h, columns)).concat(ring(w, h))
    .reduce((best, layout) => (quality(layout) > quality(best) ? layout : best));
}

/** A layout with the dreams in columns on the left and on the right.
 * @param {number} w @param {number} h @param {number} columns */
function beside(w, h, columns) {
  const rows = HALF / columns;
  const side = Math.floor(Math.min(h, .38 * w));
  const size = Math.floor(Math.min(h / (rows + (rows - 1) / 9), (w - side) / 2 / (columns * 10 / 9 + 2 / 9)));
  const step = size * 10 / 9;
  const slots = Array.from({ length: DREAMS }, (_, d) => {
    const offset = side / 2 + 2 / 9 * size + (d % HALF / rows | 0) * step; // from the middle
    return { x: d < HALF ? w / 2 - offset - size : w / 2 + offset, y: h / 2 + (d % rows - rows / 2) * step + size / 18 };
  });
  return { paper: { x: (w - side) / 2, y: (h - side) / 2, size: side }, slots, size };
}

/** A layout with the dreams on the border of a 7 x 7 square around the paper. @param {number} w @param {number} h */
function ring(w, h) {
  const step = Math.min(w, h) / 6.9;
  const size = Math.floor(.9 * step);
  /** @type {{x: number, y: number}[]} */ const slots = [];
  for (let k = 0; k < 49; k++) {
    const [i, j] = [k % 7 - 3, (k / 7 | 0) - 3];
    if (Math.max(Math.abs(i), Math.abs(j)) === 3) {
      slots.push({ x: w / 2 + i * step - size / 2, y: h / 2 + j * step - size / 2 });
    }
  }
  const side = Math.floor(4.9 * step);
  return { paper: { x: (w - side) / 2, y: (h - side) / 2, size: side }, slots, size };
}
