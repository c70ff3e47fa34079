/** Who I am, on this device. */
import { api } from './api';
import { set } from './settings.svelte';

class Self {
  id: string | null = $state(null);
  name = $state('');
  ready: Promise<void>;

  constructor() {
    this.ready = api.me().then(
      (me) => {
        this.id = me?.id ?? null;
        this.name = me?.name ?? '';
      },
      () => {}, // the server is away; whoever needs it will see
    );
  }

  /** Get an identity, or another name. */
  async call(name: string): Promise<void> {
    const me = await api.callMe(name);
    this.id = me.id;
    this.name = me.name;
    set('name', me.name);
  }
}

export const me = new Self();
