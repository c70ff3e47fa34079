/** Requests an analysis until it is ready. */
import type { AnalysisReply, GameAnalysis } from '../../lib/protocol';

/** Analyses by the id of their table, shared by the result and the replay. */
export const analyses = new Map<string, GameAnalysis>();

const FIRST_MS = 400;
const MAX_MS = 3000;

/** Return the analysis; null if it is not wanted any more. Throw what the server refuses. */
export async function fetchAnalysis(
  request: () => Promise<AnalysisReply>,
  isWanted: () => boolean,
  wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
): Promise<GameAnalysis | null> {
  for (let ms = FIRST_MS; isWanted(); ms = Math.min(MAX_MS, ms * 1.5)) {
    const { analysis } = await request();
    if (analysis) return analysis;
    await wait(ms);
  }
  return null;
}
