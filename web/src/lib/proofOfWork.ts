/** A small proof of work, which a busy server asks for before it gives a new identity.
 *
 * Browsers offer SHA-256 only to pages over HTTPS, and only asynchronously, hence our own.
 */
const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  const fraction = (number: number) => (number - Math.floor(number)) * 2 ** 32;
  for (let candidate = 2, found = 0; found < 64; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) if (candidate % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (found < 8) START[found] = fraction(Math.sqrt(candidate));
    K[found++] = fraction(Math.cbrt(candidate));
  }
}

/** Return the SHA-256 of a text of ASCII characters, as eight numbers of 32 bits. */
export function sha256(text: string): Uint32Array {
  const blocks = ((text.length + 8) >> 6) + 1;
  const words = new Uint32Array(blocks * 16);
  for (let i = 0; i < text.length; i++) words[i >> 2]! |= text.charCodeAt(i) << (24 - 8 * (i & 3));
  words[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length & 3));
  words[words.length - 1] = text.length * 8;
  const hash = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = words[block + i]!;
        continue;
      }
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
    }
    let [a, b, c, d, e, f, g, h] = hash as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
      const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (hash[i]! += value));
  }
  return hash;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

const SLICE_MS = 12; // then the page may draw

/** Return a challenge with its solution: a text with which its hash begins with that many zero bits. */
export async function solve(challenge: string, bits: number): Promise<{ challenge: string; solution: string }> {
  let number = 0;
  while (true) {
    for (const started = performance.now(); performance.now() - started < SLICE_MS; ) {
      for (let i = 0; i < 100; i++, number++) {
        if (sha256(`${challenge}:${number}`)[0]! >>> (32 - bits) === 0) return { challenge, solution: String(number) };
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
