// What the scripts of the page hand one another, for the type checker; no browser loads this file.

/** What the controller has the page show (page.View). */
interface View {
  link: string;
  state: string;
  seen: number; // the newest event that the view answers
  lang: string;
  theme: string;
  stage: any[];
  sheet: string;
  hide: string;
  embed: boolean;
  deck: boolean;
  hero: boolean;
  numbers: boolean;
  rest: boolean;
  entry: number;
  own: number;
  rows: number;
  slides: number;
  filed: number; // the newest file that the view answers
  focus: string;
  point: string;
  parts: Record<string, string>; // markup by id, those that changed
}

/** What boot.js gives the other scripts. */
interface Boot {
  bring: (name: string, take?: (answer: Response) => Promise<Blob>, modes?: RequestCache[]) => Promise<Blob>;
  inside: (name: string) => Blob | null;
  words: (key: string, ...args: unknown[]) => string;
  language: () => string;
  Trouble: ErrorConstructor;
  reload: (box: HTMLElement, ...says: (string | Node)[]) => void;
  load?: (url: string, onBytes: (text: string) => void) => Promise<WebAssembly.Module>;
}

/** A frame for the picture, from a lane or the controller. */
interface Sent {
  part: string; // of the picture: the newest frame of a part replaces those before
  run: number;
  data: ArrayBuffer | Uint8Array;
}

/** What the picture tells the page. */
interface Viewer {
  tell: (state: string, why: string) => void; // what became of the picture, or how far it is
  keep: (data: ArrayBuffer | undefined, t: string) => void; // a picture, svg, film, video or card, if there is one
  read: (text: string, aloud: boolean) => void; // what the pointer reads, or what a key led to
  drawn: (text: string) => void; // the pixels that the user has fixed
  moved: () => void; // what still() says has changed
}

/** A moment of the hero's film: its pictures, as means over the moments before. */
interface Moment {
  beta: number;
  grey: Float32Array;
}

/** Where the hero's paper and dreams stand. */
interface Places {
  paper: { x: number; y: number; size: number };
  slots: { x: number; y: number }[];
  size: number;
}

/** A message to the stage. */
interface StageMessage {
  t: string;
  n?: number;
  name?: string;
  lanes?: number;
  on?: boolean;
  part?: string;
  data?: ArrayBuffer | Uint8Array;
}

/** The window of the stage, with what wasm_exec.js and the Go program add to it. */
type StageWindow = Window & {
  Go?: any;
  labPost?: Function;
  onLab?: (m: object) => any;
  labRefresh?: () => void;
  deliver?: (m: StageMessage) => void; // takes a message of the page
  acked?: () => void; // set by the page: a frame is on the canvas
};
