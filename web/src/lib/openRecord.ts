/** Opens record files in the viewer at /replay. */
import { router } from './router.svelte';

const MAX_BYTES = 1_000_000; // far more than any record has

/** Show a file that was dropped or chosen; return false if it cannot be a record. */
export async function openRecord(file: File): Promise<boolean> {
  if (file.size > MAX_BYTES) return false;
  const text = await file.text().catch(() => null);
  if (text === null || text.includes('\0')) return false;
  router.showRecord(text);
  return true;
}
