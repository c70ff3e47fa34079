/** The visitor's settings, stored in the browser. */
export type Theme = 'auto' | 'light' | 'dark';

interface Settings {
  language: string | null; // null: the browser's
  theme: Theme;
  sound: boolean;
  soundOffered: boolean;
  speed: number; // of animations; 0: none
  hints: boolean; // explain each phase the first time
  explained: string[]; // phases explained already
  name: string;
}

const KEY = 'souk';
const DEFAULTS: Settings = {
  language: null,
  theme: 'auto',
  sound: false,
  soundOffered: false,
  speed: 1,
  hints: true,
  explained: [],
  name: '',
};

/** Return the stored settings, with defaults for values of the wrong type. */
export function validated(stored: unknown): Settings {
  const result: Record<string, unknown> = { ...DEFAULTS };
  const examples: Record<string, unknown> = { ...DEFAULTS, language: '' };
  for (const [name, value] of Object.entries(stored ?? {}))
    if (typeof value === typeof examples[name] && Array.isArray(value) === Array.isArray(examples[name]) && value !== null)
      result[name] = value;
  return result as unknown as Settings;
}

function load(): Settings {
  try {
    return validated(JSON.parse(localStorage.getItem(KEY) ?? '{}'));
  } catch {
    return { ...DEFAULTS }; // storage is denied, or its content is no JSON
  }
}

export const settings: Settings = $state(load());

/** Change a setting and store it. */
export function saveSetting<K extends keyof Settings>(name: K, value: Settings[K]): void {
  settings[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // it holds for this visit
  }
}

const isMotionReduced = () => typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Return how long an animation takes at the chosen speed, given its duration at normal speed; 0 if nothing may move. */
export function animationMs(ms: number): number {
  return isMotionReduced() ? 0 : stillMs(ms);
}

/** Return how long something that does not move is shown at the chosen speed. */
export function stillMs(ms: number): number {
  return settings.speed === 0 ? 0 : ms / settings.speed;
}
