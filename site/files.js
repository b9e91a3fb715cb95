// Files of the user. The controller recognises them by their first and last bytes, receives them one by one, and gets
// them again after a restart.
import { file as kept } from './alone.js';
import { inside } from './load.js';

const BIGGEST_FILE = 256 * 1024 * 1024;
const HEAD = 64 * 1024; // bytes that are enough to recognise a file

/** Joins files that belong together (modelfile.Parts). @param {File[]} parts */
const joined = (parts) => new File(
  [`logz-parts\n${parts.map((file) => `${file.size} ${file.name}`).join('\n')}\n\n`, ...parts],
  parts.map((file) => file.name).join(','));

export class Files {
  /** @type {File[]} */ chosen = []; question = 0; // waiting for the controller to recognise them
  /** @type {File[]} */ picked = []; // to be sent with the next order
  /** @type {Map<number, File>} */ brought = new Map(); // by the number of the event that sent them
  used = [kept.own, kept.rows, ''].map((name, i) => // the current model, data rows and deck
    name ? new File([/** @type {Blob} */ (inside(i ? 'rows' : 'own'))], name) : undefined);
  /** @type {{n: number, file: File} | null} */ offered = null; // being read by the controller
  /** @type {File[]} */ waiting = []; // to be sent next
  /** @type {Map<File, number>} */ fatal = new Map(); // how often the controller ended while reading a file
  reading = 0; // number of files that the browser is reading

  /** @param {{tell: (m: object, data?: ArrayBuffer[]) => number, send: (event: {[more: string]: unknown}) => void,
   * rest: () => void}} page tell returns the number of the event; rest is called if reading changes */
  constructor(page) { this.page = page; }

  /** Asks the controller to recognise files. They replace files chosen before. @param {Iterable<File>} some */
  choose(some) {
    const chosen = [...some];
    [this.offered, this.waiting, this.chosen, this.question] = [null, [], chosen, 0];
    this.read(() => chosen.splice(0)[0].name, async () => {
      const list = await Promise.all(chosen.map(async (file) => ({ name: file.name,
        head: await new Blob([file.slice(0, HEAD), file.slice(-HEAD)]).arrayBuffer() })));
      if (chosen === this.chosen) this.question = this.page.tell({ t: 'heads', list });
    });
  }

  /** Sorts the chosen files by the answer of the controller: some go with an order, some are parts of one file.
   * @param {number} n @param {number[][]} places */
  sort(n, ...places) {
    if (n !== this.question) return;
    const [picked, parts] = places.map((list) => list.map((i) => this.chosen[i]));
    const rest = this.chosen.splice(0).filter((file) => !picked.includes(file) && !parts.includes(file));
    this.picked = picked;
    this.offer(parts.length ? [joined(parts), ...rest] : rest);
  }

  /** Sends files one by one, each after the controller has read the previous one. @param {File[]} more */
  async offer(more) {
    this.waiting.push(...more);
    if (!this.offered) await this.next(this.waiting.shift());
  }

  /** Sends a restarted controller the files of its link, and those that were not read yet. Returns the files during which
   * the controller ended twice, which are not sent. @param {string} link */
  async again(link) {
    const own = ['model=file:', '&data=', 'view.deck=file:'].map((key, i) => link.includes(key) && this.used[i]);
    const all = [...new Set([...own, this.offered?.file, ...this.waiting])].filter((file) => !!file);
    const bad = all.filter((file) => (this.fatal.get(file) ?? 0) > 1);
    [this.offered, this.waiting] = [null, []];
    await this.offer(all.filter((file) => !bad.includes(file)));
    if (this.chosen.length) this.choose(this.chosen);
    return bad;
  }

  /** Notes that the controller has ended. */
  ended() { if (this.offered) this.fatal.set(this.offered.file, (this.fatal.get(this.offered.file) ?? 0) + 1); }

  /** Notes which files the controller has read. @param {View} view */
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

  /** Reads files, or reports the one that cannot be read. @param {() => string} name @param {() => Promise<void>} take */
  async read(name, take) {
    this.reading++;
    this.page.rest();
    await take().catch(() => this.page.send({ name: 'notice', key: 'unread', value: name() }));
    this.reading--;
    this.page.rest();
  }
}
