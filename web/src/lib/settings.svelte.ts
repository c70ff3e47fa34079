/** What somebody likes, kept in the browser. */
export type Theme = 'auto' | 'light' | 'dark';

interface Kept {
  language: string | null; // null: the browser's
  theme: Theme;
  sound: boolean;
  speed: number; // of animations; 0: none
  hints: boolean; // explain each phase of a first game
  explained: string[]; // phases that were
  name: string;
}

const KEY = 'souk';
const FIRST: Kept = {
  language: null,
  theme: 'auto',
  sound: false,
  speed: 1,
  hints: true,
  explained: [],
  name: '',
};

/** What was kept, where it is of the kind that it should be: somebody may have edited it. */
export function checked(kept: unknown): Kept {
  const found: Record<string, unknown> = { ...FIRST };
  const usual: Record<string, unknown> = { ...FIRST, language: '' };
  for (const [name, value] of Object.entries(kept ?? {}))
    if (typeof value === typeof usual[name] && Array.isArray(value) === Array.isArray(usual[name]) && value !== null)
      found[name] = value;
  return found as unknown as Kept;
}

function read(): Kept {
  try {
    return checked(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    return { ...FIRST }; // a browser that keeps nothing, or what it kept is broken
  }
}

export const settings: Kept = $state(read());

/** Change something for good. */
export function set<K extends keyof Kept>(name: K, value: Kept[K]): void {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // it holds for this visit
  }
}

const still = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-reduced-motion: reduce)');

/** How long something may take that lasts so many milliseconds at normal speed. */
export function lasting(ms: number): number {
  return still?.matches || settings.speed === 0 ? 0 : ms / settings.speed;
}
