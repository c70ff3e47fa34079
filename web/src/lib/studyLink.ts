/** Links to studies: position, line and names, compressed into the fragment of an address. */
import type { Position } from './protocol';

export interface StudyLink {
  position: Position; // at the start
  actions: readonly string[]; // of the line
  step: number; // of the line that is shown
  names: readonly string[]; // of the seats; empty if they are not known
}

const MAX_LENGTH = 40_000; // of a fragment: more than any line needs
const MAX_NAME = 24;

/** Return the address of a study on this site. */
export async function studyPath(link: StudyLink): Promise<string> {
  const { position, actions, step, names } = link;
  const packed = await pipe(new TextEncoder().encode(JSON.stringify([position, actions.join(','), step, names])), new CompressionStream('deflate-raw'));
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  return `/study#${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** Return the study in the fragment of an address; null if there is none in it. */
export async function readStudyLink(fragment: string): Promise<StudyLink | null> {
  if (fragment.length > MAX_LENGTH) return null;
  try {
    const bytes = Uint8Array.from(atob(fragment.replace(/^#/, '').replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder().decode(await pipe(bytes, new DecompressionStream('deflate-raw'))));
    return Array.isArray(parts) ? validated(parts) : null;
  } catch {
    return null; // cut off, or something else
  }
}

function validated([position, actions, step, names]: unknown[]): StudyLink | null {
  if (typeof position !== 'object' || position === null || typeof actions !== 'string' || !Number.isInteger(step) || !Array.isArray(names)) return null;
  return {
    position: position as Position, // the server checks it
    actions: actions ? actions.split(',') : [],
    step: step as number,
    names: names.map((name) => String(name).slice(0, MAX_NAME)),
  };
}

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
