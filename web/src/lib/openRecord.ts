/** A record file that somebody dropped on the page or chose; the viewer at /replay shows it. */
import { place } from './router.svelte';

const MOST_BYTES = 1_000_000; // far beyond any game: somebody dropped something else

/** Take a file and show it; false if it cannot be a record. */
export async function open(file: File): Promise<boolean> {
  if (file.size > MOST_BYTES) return false;
  const text = await file.text().catch(() => null);
  if (text === null || text.includes('\0')) return false;
  place.show(text);
  return true;
}
