/** Who I am. The server knows me by a cookie; an identity is created only when it is needed. */
import { api, type Me as Person } from './api';
import { saveSetting, settings } from './settings.svelte';
import { t } from './texts.svelte';

class Me {
  person: Person | null = $state.raw(null);
  #suggestedName = ''; // used until the server knows me
  #loading: Promise<void> | null = null;
  #creating: Promise<Person> | null = null;

  /** My public id, as in seats; null for a visitor without an identity. */
  get id(): string | null {
    return this.person?.id ?? null;
  }

  /** My name, or the name that a new identity would have. */
  get name(): string {
    return this.person?.name || settings.name || (this.#suggestedName ||= randomName());
  }

  /** Load my identity, once; again if the server was away. */
  load(): Promise<void> {
    this.#loading ??= api.me().then(
      (person) => this.#set(person),
      () => {
        this.#loading = null;
      },
    );
    return this.#loading;
  }

  /** Return my identity; create one under my name if there is none yet. */
  ensure(): Promise<Person> {
    this.#creating ??= this.load()
      .then(() => this.person ?? this.rename(this.name))
      .finally(() => (this.#creating = null)); // two clicks create one identity
    return this.#creating;
  }

  /** Drop an identity that the server does not know any more. */
  forget(): void {
    this.person = null;
    this.#loading = null;
  }

  /** Load my identity again: the server took me for somebody else. */
  reload(): void {
    this.#loading = null;
    void this.load();
  }

  async rename(name: string): Promise<Person> {
    const person = await api.setName(name);
    this.#set(person);
    return person;
  }

  /** Take over the identity of another device. */
  async claim(code: string): Promise<Person> {
    const person = await api.claimIdentity(code);
    this.#set(person);
    return person;
  }

  /** Log out on this device, or on all others. */
  async logOut(where: 'here' | 'elsewhere'): Promise<void> {
    await api.logOut(where);
    if (where === 'here') this.forget();
  }

  /** Delete me with my data, for good. */
  async delete(): Promise<void> {
    await api.deleteMe();
    this.forget();
    saveSetting('name', '');
  }

  #set(person: Person | null): void {
    this.person = person;
    if (person) saveSetting('name', person.name);
  }
}

function randomName(): string {
  const names = t('me.names').split(', ');
  return names[Math.floor(Math.random() * names.length)] ?? '';
}

export const me = new Me();
