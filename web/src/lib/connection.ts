/**
 * The line to a table: a WebSocket that comes back by itself. It knows nothing of games; whoever
 * uses it hears every message in order and asks by promise.
 */
import type { Command, Events, Goodbye, Refused, ServerMessage, Welcome } from './protocol';

export type LineState = 'connecting' | 'open' | 'lost' | 'ended';
/** A command without the name that the line gives it. */
export type Wish = Command extends infer C ? (C extends { request: string } ? Omit<C, 'request'> : never) : never;
type Answer = Exclude<ServerMessage, Welcome | Events | { type: 'goodbye' } | { type: 'pong' }>;

const PAUSES = [300, 600, 1200, 2500, 5000];
const ALIVE_MS = 20_000; // without a word for so long, ask whether anybody is there
const OPEN_MS = 8_000; // until the first word
const ANSWER_MS = 15_000;

interface Waiting {
  text: string;
  done(answer: Answer): void;
  failed(error: Error): void;
}

export class Line {
  state: LineState = 'connecting';
  #socket: WebSocket | null = null;
  #tried = 0;
  #asked = 0;
  #waiting = new Map<string, Waiting>();
  #timer = 0;
  #heard = 0;
  #goodbye: Goodbye | null = null;
  readonly #run = Math.random().toString(36).slice(2, 8);

  constructor(
    readonly table: string,
    readonly after: () => number | null,
    readonly hear: (message: Welcome | Events) => void,
    readonly changed: (state: LineState, why: string) => void,
  ) {
    this.#open();
    addEventListener('online', this.#again);
    document.addEventListener('visibilitychange', this.#again);
  }

  close(): void {
    removeEventListener('online', this.#again);
    document.removeEventListener('visibilitychange', this.#again);
    clearTimeout(this.#timer);
    this.#end('');
    this.#socket?.close();
  }

  /** Open the line anew: as somebody else, or because it is time to try. */
  again(): void {
    if (this.state === 'ended') return;
    clearTimeout(this.#timer);
    if (this.state === 'open') this.#become('connecting', '');
    this.#open();
  }

  /** Ask for something. What was not answered when the line broke is asked again: it is done once. */
  ask(wish: Wish, patience = ANSWER_MS): Promise<Answer> {
    const request = `${this.#run}-${++this.#asked}`;
    const text = JSON.stringify({ ...wish, request });
    return new Promise((resolve, reject) => {
      if (this.state === 'ended') return reject(new Error('the line is closed'));
      this.#waiting.set(request, { text, done: resolve, failed: reject });
      setTimeout(() => {
        if (this.#waiting.delete(request)) reject(new Error('no answer'));
      }, patience);
      if (this.state === 'open') this.#socket?.send(text);
    });
  }

  #open(): void {
    const after = this.after();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const query = after === null ? '' : `?after=${after}`;
    const former = this.#socket;
    this.#goodbye = null;
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live${query}`);
    this.#socket = socket;
    // Two lines at once would tell everything twice.
    former?.close();
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = (event) => this.#closed(socket, event);
    // Something on the way may take a line that leads nowhere.
    clearTimeout(this.#heard);
    this.#heard = window.setTimeout(() => socket.close(), OPEN_MS);
  }

  #take(message: ServerMessage): void {
    this.#listenOn();
    switch (message.type) {
      case 'welcome':
      case 'events':
        if (this.state !== 'open') this.#opened();
        this.hear(message);
        break;
      case 'goodbye':
        this.#goodbye = message;
        break;
      case 'pong':
        break;
      default: {
        const waiting = message.request === null ? undefined : this.#waiting.get(message.request);
        if (waiting && message.request !== null) {
          this.#waiting.delete(message.request);
          waiting.done(message as Answer);
        }
      }
    }
  }

  #opened(): void {
    this.#tried = 0;
    this.#become('open', '');
    for (const one of this.#waiting.values()) this.#socket?.send(one.text);
  }

  #listenOn(): void {
    clearTimeout(this.#heard);
    this.#heard = window.setTimeout(() => {
      this.#socket?.send('{"type":"ping"}');
      this.#heard = window.setTimeout(() => this.#socket?.close(), 5000);
    }, ALIVE_MS);
  }

  #closed(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#heard);
    if (this.state === 'ended') return;
    if (event.code === 4404) return this.#end('no-such-table');
    if (this.#goodbye && !this.#goodbye.reconnect) return this.#end(this.#goodbye.reason);
    this.#become('lost', '');
    const pause = PAUSES[Math.min(this.#tried++, PAUSES.length - 1)] ?? 5000;
    this.#timer = window.setTimeout(() => this.#open(), pause * (0.8 + 0.4 * Math.random()));
  }

  #again = (): void => {
    if (this.state === 'lost' && !document.hidden) this.again();
  };

  #end(why: string): void {
    this.#become('ended', why);
    for (const one of this.#waiting.values()) one.failed(new Error('the line ended'));
    this.#waiting.clear();
  }

  #become(state: LineState, why: string): void {
    this.state = state;
    this.changed(state, why);
  }
}

export function isRefused(answer: { type: string }): answer is Refused {
  return answer.type === 'refused';
}
