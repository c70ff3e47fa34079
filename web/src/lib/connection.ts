/**
 * A WebSocket to a table that reconnects by itself. It knows nothing about games: it passes on
 * every message in order, and commands return promises.
 */
import type { Command, Events, Goodbye, Refused, ServerMessage, Welcome } from './protocol';

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'ended';
/** A command without its request id, which the connection adds. */
export type CommandInput = Command extends infer C ? (C extends { request: string } ? Omit<C, 'request'> : never) : never;
type Answer = Exclude<ServerMessage, Welcome | Events | { type: 'goodbye' } | { type: 'pong' }>;

const RETRY_MS = [300, 600, 1200, 2500, 5000];
const PING_MS = 20_000; // without a message for this long, send a ping
const PONG_MS = 5000;
const OPEN_MS = 8_000; // until the first message
const ANSWER_MS = 15_000;

interface PendingCommand {
  text: string;
  timer: ReturnType<typeof setTimeout>;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

export class Connection {
  state: ConnectionState = 'connecting';
  #socket: WebSocket | null = null;
  #retries = 0;
  #commands = 0;
  #pending = new Map<string, PendingCommand>();
  #retryTimer = 0;
  #silenceTimer = 0;
  #goodbye: Goodbye | null = null;
  readonly #id = Math.random().toString(36).slice(2, 8);

  constructor(
    readonly table: string,
    readonly lastSeen: () => number | null, // the number of the last event received
    readonly onMessage: (message: Welcome | Events) => void,
    readonly onStateChange: (state: ConnectionState, reason: string) => void,
    readonly onLoggedOut: () => void = () => {},
  ) {
    this.#open();
    addEventListener('online', this.#reconnectIfLost);
    document.addEventListener('visibilitychange', this.#reconnectIfLost);
  }

  close(): void {
    removeEventListener('online', this.#reconnectIfLost);
    document.removeEventListener('visibilitychange', this.#reconnectIfLost);
    clearTimeout(this.#retryTimer);
    this.#end('');
    this.#socket?.close();
  }

  /** Open a new socket: with another identity, or without waiting for the next retry. */
  reconnect(): void {
    if (this.state === 'ended') return;
    clearTimeout(this.#retryTimer);
    if (this.state === 'open') this.#setState('connecting', '');
    this.#open();
  }

  /** Send a command. It is sent again after a reconnection; the server handles it once. */
  send(command: CommandInput, timeoutMs = ANSWER_MS): Promise<Answer> {
    const request = `${this.#id}-${++this.#commands}`;
    const text = JSON.stringify({ ...command, request });
    return new Promise((resolve, reject) => {
      if (this.state === 'ended') return reject(new Error('the connection is closed'));
      const timer = setTimeout(() => {
        if (this.#pending.delete(request)) reject(new Error('no answer'));
      }, timeoutMs);
      this.#pending.set(request, { text, timer, resolve, reject });
      if (this.state === 'open') this.#socket?.send(text);
    });
  }

  #open(): void {
    const after = this.lastSeen();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const query = after === null ? '' : `?after=${after}`;
    const former = this.#socket;
    this.#goodbye = null;
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.table}/live${query}`);
    this.#socket = socket;
    former?.close(); // two sockets would deliver every event twice
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data) as ServerMessage);
    };
    socket.onclose = (event) => this.#onClose(socket, event);
    // A proxy may accept a socket that leads nowhere.
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = window.setTimeout(() => socket.close(), OPEN_MS);
  }

  #receive(message: ServerMessage): void {
    this.#restartSilenceTimer();
    switch (message.type) {
      case 'welcome':
      case 'events':
        if (this.state !== 'open') this.#onOpen();
        this.onMessage(message);
        break;
      case 'goodbye':
        this.#goodbye = message;
        break;
      case 'pong':
        break;
      default: {
        const pending = message.request === null ? undefined : this.#pending.get(message.request);
        if (pending && message.request !== null) {
          this.#pending.delete(message.request);
          clearTimeout(pending.timer); // it would keep this table in memory
          pending.resolve(message as Answer);
        }
      }
    }
  }

  #onOpen(): void {
    this.#retries = 0;
    this.#setState('open', '');
    for (const { text } of this.#pending.values()) this.#socket?.send(text);
  }

  #restartSilenceTimer(): void {
    clearTimeout(this.#silenceTimer);
    this.#silenceTimer = window.setTimeout(() => {
      this.#socket?.send('{"type":"ping"}');
      this.#silenceTimer = window.setTimeout(() => this.#socket?.close(), PONG_MS);
    }, PING_MS);
  }

  #onClose(socket: WebSocket, event: CloseEvent): void {
    if (socket !== this.#socket) return;
    clearTimeout(this.#silenceTimer);
    if (this.state === 'ended') return;
    if (event.code === 4404) return this.#end('no-such-table');
    if (event.code === 4410) return this.#end('unreadable');
    if (event.code === 4401) this.onLoggedOut();
    if (event.code === 4403 && this.#goodbye?.reason.startsWith('The host')) return this.#end('removed');
    if (this.#goodbye && !this.#goodbye.reconnect) return this.#end(this.#goodbye.reason);
    this.#setState('lost', '');
    const pause = RETRY_MS[Math.min(this.#retries++, RETRY_MS.length - 1)] ?? 5000;
    this.#retryTimer = window.setTimeout(() => this.#open(), pause * (0.8 + 0.4 * Math.random()));
  }

  #reconnectIfLost = (): void => {
    if (this.state === 'lost' && !document.hidden) this.reconnect();
  };

  #end(reason: string): void {
    this.#setState('ended', reason);
    for (const { timer, reject } of this.#pending.values()) {
      clearTimeout(timer);
      reject(new Error('the connection ended'));
    }
    this.#pending.clear();
  }

  #setState(state: ConnectionState, reason: string): void {
    this.state = state;
    this.onStateChange(state, reason);
  }
}

export function isRefused(answer: { type: string }): answer is Refused {
  return answer.type === 'refused';
}
