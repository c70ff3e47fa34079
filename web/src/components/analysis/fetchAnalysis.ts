/** Asks for an analysis until it is there. */
import type { AnalysisReply, GameAnalysis } from '../../lib/protocol';

/** By the id of a table: who goes from the result to the replay does not ask twice. */
export const remembered = new Map<string, GameAnalysis>();

const FIRST_MS = 400;
const MOST_MS = 3000;

/** The analysis; null if nobody wants it any more. What the server refuses is thrown. */
export async function whenReady(
  ask: () => Promise<AnalysisReply>,
  isWanted: () => boolean,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<GameAnalysis | null> {
  for (let ms = FIRST_MS; isWanted(); ms = Math.min(MOST_MS, ms * 1.5)) {
    const { analysis } = await ask();
    if (analysis) return analysis;
    await wait(ms);
  }
  return null;
}
