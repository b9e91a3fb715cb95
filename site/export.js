// Export: downloads, the picture, the clipboard.
import { $ } from './view.js';

/** Downloads a file. @param {string} name @param {string} type @param {BlobPart} data */
export function save(name, type, data) {
  const href = URL.createObjectURL(new Blob([data], { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

/** Joins a header, the picture and a footer to one PNG.
 * @param {string} head an SVG @param {BlobPart} data a PNG @param {string} foot an SVG */
export async function framed(head, data, foot) {
  const drawing = (/** @type {string} */ svg) => new Blob([svg], { type: 'image/svg+xml' });
  const parts = await Promise.all([drawing(head), new Blob([data]), drawing(foot)].map(async (part) => {
    const image = Object.assign(new Image(), { src: URL.createObjectURL(part) });
    await image.decode();
    return image;
  }));
  const width = parts[1].naturalWidth;
  const heights = parts.map((image) => Math.round(image.naturalHeight * width / image.naturalWidth));
  const canvas = new OffscreenCanvas(width, heights.reduce((a, b) => a + b));
  let y = 0;
  parts.forEach((image, i) => {
    canvas.getContext('2d')?.drawImage(image, 0, y, width, heights[i]);
    y += heights[i];
    URL.revokeObjectURL(image.src);
    image.removeAttribute('src'); // releases the document of an SVG
  });
  return canvas.convertToBlob();
}

/** Copies a text to the clipboard and reports whether that was allowed. @param {string} text */
export const copied = async (text) =>
  await navigator.clipboard?.writeText(text).then(() => true, () => false) || copyOld(text);

/** Copies a text without navigator.clipboard, which is missing over plain http. @param {string} text */
function copyOld(text) {
  const box = Object.assign(document.createElement('textarea'), { value: text, readOnly: true, className: 'sprite' });
  const at = /** @type {HTMLElement | null} */ (document.activeElement);
  ($('sheet').open ? $('sheet') : document.body).append(box); // nothing outside an open dialog can be selected
  box.select();
  const done = document.execCommand('copy');
  box.remove();
  at?.focus();
  return done;
}
