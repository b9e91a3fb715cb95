// The page saved as one file, which opens from a disk without a server. `tool dist` makes alone.html, with the scripts,
// the style and the document of the picture inside; the files of the experiment are added here. boot.inside reads them.
import { bring, inside } from './load.js';
import { $ } from './view.js';

export const site = new URL('.', location.href).href;
/** The description that alone() wrote into a page saved as one file. @type {{link?: string, lab?: string, own?: string, rows?: string}} */
export const file = JSON.parse($('alone')?.textContent ?? '{}');
/** The files in it (models, deck, samples), by their addresses. */
export const given = Object.fromEntries([...document.querySelectorAll(
  '[id^="file "][id*="/"]:not([id^="file words/"])')].map(({ id }) => [
  site + id.slice(5), /** @type {Blob} */ (inside(id.slice(5)))]));

/** Encodes a file as base64. @param {Blob} data @returns {Promise<string>} */
const packed = (data) => new Promise((done, fail) => {
  const reader = Object.assign(new FileReader(), { onerror: fail });
  reader.onload = () => done(String(reader.result).replace(/.*,/, ''));
  reader.readAsDataURL(data);
});

/** @param {string} about the experiment, in JSON @param {Record<string, BlobPart>} files of its model */
export async function alone(about, files) {
  const page = inside('alone.html') ?? await bring('alone.html');
  const text = await page.text();
  const parts = [text.slice(0, text.lastIndexOf('</body>'))];
  parts.push(`<script type="application/json" id="alone">${about}</script>`);
  /** @param {string} name @param {BlobPart} data */
  const put = async (name, data) => void parts.push(
    `\n<script type="text/plain" id="file ${name}">${await packed(new Blob([data]))}</script>`);
  await put('alone.html', page);
  const programs = ['logz.wasm.gz', 'canvas.wasm.gz', ...JSON.parse(about).programs ?? []];
  for (const name of programs) await put(name, await bring(name));
  for (const [name, data] of Object.entries(files)) await put(name, data);
  return new Blob([...parts, '\n</body>\n</html>\n']);
}
