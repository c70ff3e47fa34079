/** The people whom I have blocked: I do not see what they write, and they take no seat at my tables. */
import { api } from './api';
import { me } from './me.svelte';
import type { PersonBody } from './protocol';

class Blocks {
  people: readonly PersonBody[] = $state.raw([]);
  #loadedFor: string | null = null;

  /** Load my list, once for each identity. Call it in an effect. */
  load(): void {
    if (this.#loadedFor === me.id) return;
    this.#loadedFor = me.id;
    this.people = [];
    if (me.id !== null) void this.#refresh().catch(() => (this.#loadedFor = null));
  }

  has(person: string | null): boolean {
    return this.people.some((one) => one.person === person);
  }

  async block(person: string): Promise<void> {
    await api.block(person);
    await this.#refresh();
  }

  async unblock(person: string): Promise<void> {
    await api.unblock(person);
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    this.people = await api.blocks();
  }
}

export const blocks = new Blocks();
