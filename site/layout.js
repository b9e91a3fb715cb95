// Where the hero's paper and dreams stand, and what is drawn by hand.

/** How many dreams there are, and how they are parted by the paper. */
const [DREAMS, HALF] = [24, 12];

/** @param {HTMLCanvasElement} canvas @param {number} w @param {number} h */
export function fit(canvas, w, h) {
  if (canvas.width !== Math.round(w)) canvas.width = Math.round(w);
  if (canvas.height !== Math.round(h)) canvas.height = Math.round(h);
}

/** Places the paper in the middle of a stage and the dreams at both sides, as large as can be.
 * @param {number} w @param {number} h */
export function arrange(w, h) {
  const wide = w > h;
  const [long, across] = wide ? [w, h] : [h, w]; // dreams stand at the ends of the long side
  const side = Math.floor(Math.min(wide ? across : .92 * across, (wide ? .38 : .46) * long));
  const room = (long - side) / 2;
  let best = { size: 0, gap: 0, lines: 1 };
  for (const lines of [1, 2, 3, 4]) { // on each side of the paper
    const n = HALF / lines;
    for (let size = Math.floor(across / n); size > best.size; size--) {
      const gap = Math.max(4, size / 9);
      if (n * size + (n - 1) * gap > across || lines * (size + gap) + gap > room) continue;
      best = { size, gap, lines };
    }
  }
  const { size, gap, lines } = best;
  const n = HALF / lines;
  const start = (across - n * size - (n - 1) * gap) / 2;
  const slots = Array.from({ length: DREAMS }, (_, d) => {
    const [line, k] = [d % HALF / n | 0, d % n];
    const off = side / 2 + 2 * gap + line * (size + gap);
    const a = d < HALF ? long / 2 - off - size : long / 2 + off;
    const b = start + k * (size + gap);
    return wide ? { x: a, y: b } : { x: b, y: a };
  });
  return { paper: { x: (w - side) / 2, y: (h - side) / 2, size: side }, slots, size };
}

/** Draws a pencil whose tip is at a point. @param {CanvasRenderingContext2D} on @param {number} x @param {number} y
 * @param {number} long */
export function pencil(on, x, y, long) {
  on.save();
  on.translate(x, y);
  on.rotate(-.95);
  const [tip, half] = [long * .22, long * .075];
  on.fillStyle = 'rgb(236 241 248 / .92)';
  on.fillRect(tip, -half, long, 2 * half);
  on.beginPath();
  on.moveTo(0, 0);
  on.lineTo(tip, -half);
  on.lineTo(tip, half);
  on.fillStyle = '#ffa31a';
  on.fill();
  on.restore();
}
