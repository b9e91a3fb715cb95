// Files that the user has chosen or dropped. The controller recognises each file by its first and last bytes, receives
// the files one by one, and receives them again after a restart.
import { file as saved } from './alone.js';
import { inside } from './load.js';

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const HEAD = 64 * 1024; // number of first and of last bytes by which a file is recognised

/** Joins the files of one model to one file, in the format of modelfile.Parts. @param {File[]} parts */
const joined = (parts) => new File(
  [`logz-parts\n${parts.map((file) => `${file.size} ${file.name}`).join('\n')}\n\n`, ...parts],
  parts.map((file) => file.name).join(','));

export class Files {
  /** @type {File[]} */ chosen = []; // files that the controller has not recognised yet
  headsEvent = 0; // number of the event with their first and last bytes, 0 before it is sent
  /** @type {File[]} */ samples = []; // files of samples, to be sent with the next order (order in main.js)
  /** @type {Map<number, File>} */ sent = new Map(); // by the number of the event that sent them
  used = [saved.own, saved.rows, ''].map((name, i) => // files of the current model, its data rows, and the lecture
    name ? new File([/** @type {Blob} */ (inside(i ? 'rows' : 'own'))], name) : undefined);
  /** @type {{n: number, file: File} | null} */ inProgress = null; // being read by the controller
  /** @type {File[]} */ waiting = []; // files to be sent to the controller next
  /** @type {Map<File, number>} */ failures = new Map(); // how often the controller ended while it read a file
  reading = 0; // number of files that the browser is reading

  /** @param {{tell: (m: object, data?: ArrayBuffer[]) => number, send: (event: {[more: string]: unknown}) => void,
   * idleChanged: () => void}} page tell returns the number of the event; idleChanged is called when reading begins or ends */
  constructor(page) { this.page = page; }

  /** Asks the controller to recognise files. They replace files chosen before. @param {Iterable<File>} selection */
  choose(selection) {
    const chosen = [...selection];
    [this.inProgress, this.waiting, this.chosen, this.headsEvent] = [null, [], chosen, 0];
    this.read(() => chosen.splice(0)[0].name, async () => {
      const list = await Promise.all(chosen.map(async (file) => ({ name: file.name,
        head: await new Blob([file.slice(0, HEAD), file.slice(-HEAD)]).arrayBuffer() })));
      if (chosen === this.chosen) this.headsEvent = this.page.tell({ t: 'heads', list });
    });
  }

  /** Distributes the chosen files as the controller has recognised them: samples go with the next order, parts of one model are
   * joined to one file, and all others are sent one by one.
   * @param {number} n number of the event that asked @param {number[][]} places indices of samples and of parts */
  distribute(n, ...places) {
    if (n !== this.headsEvent) return;
    const [samples, parts] = places.map((list) => list.map((i) => this.chosen[i]));
    const others = this.chosen.splice(0).filter((file) => !samples.includes(file) && !parts.includes(file));
    this.samples = samples;
    this.offer(parts.length ? [joined(parts), ...others] : others);
  }

  /** Sends files one by one, each after the controller has read the previous one. @param {File[]} newFiles */
  async offer(newFiles) {
    this.waiting.push(...newFiles);
    if (!this.inProgress) await this.next(this.waiting.shift());
  }

  /** Sends a restarted controller the files that its link needs, and the files that it has not read yet. Files during
   * whose reading the controller ended twice are not sent but returned. @param {string} link */
  async resend(link) {
    const own = ['model=file:', '&data=', 'view.deck=file:'].map((key, i) => link.includes(key) && this.used[i]);
    const needed = [...new Set([...own, this.inProgress?.file, ...this.waiting])].filter((file) => !!file);
    const refused = needed.filter((file) => (this.failures.get(file) ?? 0) > 1);
    [this.inProgress, this.waiting] = [null, []];
    await this.offer(needed.filter((file) => !refused.includes(file)));
    if (this.chosen.length) this.choose(this.chosen);
    return refused;
  }

  /** Counts a failure of the file that the controller was reading when it ended. */
  noteEnd() { if (this.inProgress) this.failures.set(this.inProgress.file, (this.failures.get(this.inProgress.file) ?? 0) + 1); }

  /** Notes which files the controller has read, and sends the next one. @param {View} view */
  noteView({ own, rows, slides, filed }) {
    this.used = [own, rows, slides].map((n, i) => this.sent.get(n) ?? this.used[i]);
    if (!this.inProgress || filed < this.inProgress.n) return;
    this.failures.delete(this.inProgress.file);
    this.inProgress = null;
    this.offer([]);
  }

  /** Sends a file to the controller, or reports that it is too large. @param {File | undefined} file */
  async next(file) {
    if (!file) return;
    if (file.size > MAX_FILE_BYTES) return this.page.send({ name: 'notice', key: 'big', value: file.name });
    await this.read(() => file.name, async () => {
      const data = await file.arrayBuffer();
      this.inProgress = { n: this.page.tell({ t: 'file', name: file.name, data }, [data]), file };
      this.sent.set(this.inProgress.n, file);
    });
  }

  /** Calls take, which reads files, and reports an error with the name of the file that could not be read.
   * @param {() => string} name @param {() => Promise<void>} take */
  async read(name, take) {
    this.reading++;
    this.page.idleChanged();
    await take().catch(() => this.page.send({ name: 'notice', key: 'unread', value: name() }));
    this.reading--;
    this.page.idleChanged();
  }
}
