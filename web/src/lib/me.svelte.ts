/** Who I am. The server knows me by a cookie; a name is needed only once something is played. */
import { api, type Me as Person } from './api';
import { set, settings } from './settings.svelte';
import { t } from './texts.svelte';

class Me {
  person: Person | null = $state.raw(null);
  isKnown = $state(false); // the server was asked
  #madeUp = ''; // until the server knows me
  #asked: Promise<void> | null = null;
  #being: Promise<Person> | null = null;

  /** My public id, as seats have it; null for somebody who only looks. */
  get id(): string | null {
    return this.person?.id ?? null;
  }

  /** The name that is mine, or would be. */
  get name(): string {
    return this.person?.name || settings.name || (this.#madeUp ||= madeUp());
  }

  /** Ask the server, once; again if it was away. */
  ask(): Promise<void> {
    this.#asked ??= api.me().then(
      (person) => this.#become(person),
      () => {
        this.#asked = null;
      },
    );
    return this.#asked;
  }

  /** Have an identity: under the name shown if there is none yet. */
  be(): Promise<Person> {
    this.#being ??= this.ask()
      .then(() => this.person ?? this.call(this.name))
      .finally(() => (this.#being = null)); // two clicks make one person
    return this.#being;
  }

  /** The server does not know me any more: cookies were cleared, or they are too old. */
  forget(): void {
    this.person = null;
    this.#asked = null;
  }

  /** Ask again who I am: the server took me for somebody else. */
  check(): void {
    this.#asked = null;
    void this.ask();
  }

  /** Be called something else. */
  async call(name: string): Promise<Person> {
    const person = await api.callMe(name);
    this.#become(person);
    return person;
  }

  /** Be the person of another device. */
  async claim(word: string): Promise<Person> {
    const person = await api.claim(word);
    this.#become(person);
    return person;
  }

  #become(person: Person | null): void {
    this.person = person;
    this.isKnown = true;
    if (person) set('name', person.name);
  }
}

function madeUp(): string {
  const names = t('me.names').split(', ');
  return names[Math.floor(Math.random() * names.length)] ?? '';
}

export const me = new Me();
