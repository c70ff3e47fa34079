/** How others reach this server: by its own address, or by this computer's in the local network. */
import { api } from './api';
import type { NetworkBody } from './protocol';

class Network {
  #body: NetworkBody | null = $state.raw(null);
  #chosen = $state(''); // of several addresses

  /** The addresses for links to others, best first; only the page's own if others can open that. */
  get origins(): string[] {
    const origins = this.#body?.origins ?? [];
    return origins.some((origin) => new URL(origin).host === location.host) ? [location.origin] : origins;
  }

  /** The address for links to others. */
  get origin(): string {
    return this.origins.find((origin) => origin === this.#chosen) ?? this.origins[0] ?? location.origin;
  }

  /** Whether links work on this computer only. */
  get isOnlyHere(): boolean {
    return this.#body !== null && this.origins.length === 0;
  }

  /** Whether I am at the server's own computer, and may open it to the local network. */
  get canSwitch(): boolean {
    return this.#body?.can_switch ?? false;
  }

  /** Ask the server; another tab may have switched. If it is away, links have the page's own address. */
  async load(): Promise<void> {
    this.#body = await api.network().catch(() => this.#body);
  }

  /** Open the server to the local network, or close it. */
  async switchLan(isOn: boolean): Promise<void> {
    this.#body = await api.switchLan(isOn);
  }

  choose(origin: string): void {
    this.#chosen = origin;
  }
}

export const network = new Network();
