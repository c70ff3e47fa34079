/** Scales and lines of the chart of scores. */
export interface Plot {
  width: number;
  height: number;
  x(step: number): number;
  y(score: number): number;
  /** The step nearest to a place on the chart. */
  stepAt(x: number): number;
  ticks: number[]; // scores with a line of their own
}

export const MARGIN = { left: 34, right: 12, top: 8, bottom: 6 };

export function plot(scores: readonly (readonly number[])[], width: number, height: number): Plot {
  const all = scores.flat();
  const ticks = roundTicks(Math.min(...all), Math.max(Math.min(...all) + 1, ...all));
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const last = Math.max(1, scores.length - 1);
  const across = width - MARGIN.left - MARGIN.right;
  const down = height - MARGIN.top - MARGIN.bottom;
  return {
    width,
    height,
    ticks,
    x: (step) => MARGIN.left + (across * step) / last,
    y: (score) => MARGIN.top + down * (1 - (score - low) / (high - low)),
    stepAt: (x) => Math.min(scores.length - 1, Math.max(0, Math.round(((x - MARGIN.left) / across) * last))),
  };
}

/** Round numbers that enclose a range, about five of them. */
export function roundTicks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const by = Math.max(1, ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power);
  const first = Math.floor(low / by) * by;
  const ticks = [first];
  while ((ticks.at(-1) as number) < high) ticks.push((ticks.at(-1) as number) + by);
  return ticks;
}

/** A line through one player's scores: level until something changes. */
export function path(scores: readonly (readonly number[])[], seat: number, plot: Plot): string {
  let text = '';
  let before: number | undefined;
  scores.forEach((row, step) => {
    const score = row[seat] ?? 0;
    const isLast = step === scores.length - 1;
    if (before === undefined) text = `M${round(plot.x(0))} ${round(plot.y(score))}`;
    else if (score !== before || isLast) text += `H${round(plot.x(step))}V${round(plot.y(score))}`;
    before = score;
  });
  return text;
}

/** Steps at which a line has its marker: apart enough to be told from each other, and not all in one column. */
export function markersAt(steps: number, seat: number, players: number): number[] {
  const by = Math.max(1, Math.round(steps / 6));
  const found: number[] = [];
  for (let step = Math.round((by * (seat + 0.5)) / players); step < steps; step += by) found.push(step);
  return found;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
