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

function read(): Kept {
  try {
    return { ...FIRST, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { ...FIRST }; // a browser that keeps nothing, or somebody edited it
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
