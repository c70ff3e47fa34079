/** Who I am, on this device. A stand-in until the start page brings its own, with the same names. */
import { api } from './api';
import { set } from './settings.svelte';

class Me {
  id: string | null = $state(null);
  name = $state('');
  #asked: Promise<void> | null = null;

  /** Ask the server, once; again if it was away. */
  ask(): Promise<void> {
    this.#asked ??= api.me().then(
      (me) => {
        this.id = me?.id ?? null;
        this.name = me?.name ?? '';
      },
      () => {
        this.#asked = null;
      },
    );
    return this.#asked;
  }

  /** Get an identity, or another name. */
  async call(name: string): Promise<void> {
    const me = await api.callMe(name);
    this.id = me.id;
    this.name = me.name;
    set('name', me.name);
  }
}

export const me = new Me();
