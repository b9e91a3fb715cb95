// The user's files on their way to the controller: recognised by their first bytes, offered one by one, and sent again to
// a new controller.
import { file as kept } from './alone.js';
import { inside } from './load.js';

const BIGGEST_FILE = 256 * 1024 * 1024;
const HEAD = 64 * 1024; // bytes that tell what a file is

/** One file of several that belong together (modelfile.Parts). @param {File[]} parts */
const joined = (parts) => new File(
  [`logz-parts\n${parts.map((file) => `${file.size} ${file.name}`).join('\n')}\n\n`, ...parts],
  parts.map((file) => file.name).join(','));

export class Files {
  /** @type {File[]} */ chosen = []; question = 0; // until the controller knows what they are
  /** @type {File[]} */ picked = []; // what the next order takes along
  /** @type {Map<number, File>} */ brought = new Map(); // by the event that brought them
  used = [kept.own, kept.rows, ''].map((name, i) => // the model, the data rows and the deck in use
    name ? new File([/** @type {Blob} */ (inside(i ? 'rows' : 'own'))], name) : undefined);
  /** @type {{n: number, file: File} | null} */ offered = null; // the controller is reading it
  /** @type {File[]} */ waiting = []; // to be sent after it
  /** @type {Map<File, number>} */ fatal = new Map(); // how often the controller ended while it read one
  reading = 0; // files that the browser is reading

  /** @param {{tell: (m: object, data?: ArrayBuffer[]) => number, send: (event: {[more: string]: unknown}) => void,
   * rest: () => void}} page whose tell answers with the number of the event, and whose rest hears of reading */
  constructor(page) { this.page = page; }

  /** Asks the controller what files are, by their heads; they replace those before. @param {Iterable<File>} some */
  choose(some) {
    const chosen = [...some];
    [this.offered, this.waiting, this.chosen, this.question] = [null, [], chosen, 0];
    this.read(() => chosen.splice(0)[0].name, async () => {
      const list = await Promise.all(chosen.map(async (file) => ({ name: file.name,
        head: await new Blob([file.slice(0, HEAD), file.slice(-HEAD)]).arrayBuffer() })));
      if (chosen === this.chosen) this.question = this.page.tell({ t: 'heads', list });
    });
  }

  /** Hears what the chosen files are, if these were asked about: some for an order, some parts of one.
   * @param {number} n @param {number[][]} places */
  sort(n, ...places) {
    if (n !== this.question) return;
    const [picked, parts] = places.map((list) => list.map((i) => this.chosen[i]));
    const rest = this.chosen.splice(0).filter((file) => !picked.includes(file) && !parts.includes(file));
    this.picked = picked;
    this.offer(parts.length ? [joined(parts), ...rest] : rest);
  }

  /** Sends files, one when the controller has read the last. @param {File[]} more */
  async offer(more) {
    this.waiting.push(...more);
    if (!this.offered) await this.next(this.waiting.shift());
  }

  /** Sends a new controller what its link names and what the last one had not read; returns files over which it ended
   * twice, which are not sent. @param {string} link */
  async again(link) {
    const own = ['model=file:', '&data=', 'view.deck=file:'].map((key, i) => link.includes(key) && this.used[i]);
    const all = [...new Set([...own, this.offered?.file, ...this.waiting])].filter((file) => !!file);
    const bad = all.filter((file) => (this.fatal.get(file) ?? 0) > 1);
    [this.offered, this.waiting] = [null, []];
    await this.offer(all.filter((file) => !bad.includes(file)));
    if (this.chosen.length) this.choose(this.chosen);
    return bad;
  }

  /** Hears that the controller has ended. */
  ended() { if (this.offered) this.fatal.set(this.offered.file, (this.fatal.get(this.offered.file) ?? 0) + 1); }

  /** Hears what the controller has read. @param {View} view */
  show({ own, rows, slides, filed }) {
    this.used = [own, rows, slides].map((n, i) => this.brought.get(n) ?? this.used[i]);
    if (!this.offered || filed < this.offered.n) return;
    this.fatal.delete(this.offered.file);
    this.offered = null;
    this.offer([]);
  }

  /** @param {File | undefined} file */
  async next(file) {
    if (!file) return;
    if (file.size > BIGGEST_FILE) return this.page.send({ name: 'notice', key: 'big', value: file.name });
    await this.read(() => file.name, async () => {
      const data = await file.arrayBuffer();
      this.offered = { n: this.page.tell({ t: 'file', name: file.name, data }, [data]), file };
      this.brought.set(this.offered.n, file);
    });
  }

  /** Reads files, or says which one cannot be read. @param {() => string} name @param {() => Promise<void>} take */
  async read(name, take) {
    this.reading++;
    this.page.rest();
    await take().catch(() => this.page.send({ name: 'notice', key: 'unread', value: name() }));
    this.reading--;
    this.page.rest();
  }
}
