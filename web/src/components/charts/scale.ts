/** Scales and lines of charts over the steps of a game. */
export interface Scale {
  width: number;
  height: number;
  x(step: number): number;
  y(score: number): number;
  /** Return the step nearest to a place on the chart. */
  stepAt(x: number): number;
  ticks: number[]; // scores with a horizontal line
}

export const MARGIN = { left: 34, right: 12, top: 8, bottom: 6 };

export function scoreScale(scores: readonly (readonly number[])[], width: number, height: number): Scale {
  const all = scores.flat();
  const ticks = roundTicks(Math.min(...all), Math.max(Math.min(...all) + 1, ...all));
  const low = ticks[0] ?? 0;
  const high = ticks.at(-1) ?? 1;
  const last = Math.max(1, scores.length - 1);
  const plotWidth = width - MARGIN.left - MARGIN.right;
  const plotHeight = height - MARGIN.top - MARGIN.bottom;
  return {
    width,
    height,
    ticks,
    x: (step) => MARGIN.left + (plotWidth * step) / last,
    y: (score) => MARGIN.top + plotHeight * (1 - (score - low) / (high - low)),
    stepAt: (x) => Math.min(scores.length - 1, Math.max(0, Math.round(((x - MARGIN.left) / plotWidth) * last))),
  };
}

/** Return about five round numbers that enclose a range. */
export function roundTicks(low: number, high: number): number[] {
  const roughStep = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const tickStep = Math.max(1, ([1, 2, 5, 10].find((one) => one * power >= roughStep) ?? 10) * power);
  const first = Math.floor(low / tickStep) * tickStep;
  const ticks = [first];
  while ((ticks.at(-1) as number) < high) ticks.push((ticks.at(-1) as number) + tickStep);
  return ticks;
}

/** Return the line of one player's scores as path data: level until the score changes. */
export function stepPath(scores: readonly (readonly number[])[], seat: number, scale: Scale): string {
  let text = '';
  let before: number | undefined;
  scores.forEach((row, step) => {
    const score = row[seat] ?? 0;
    const isLast = step === scores.length - 1;
    if (before === undefined) text = `M${round(scale.x(0))} ${round(scale.y(score))}`;
    else if (score !== before || isLast) text += `H${round(scale.x(step))}V${round(scale.y(score))}`;
    before = score;
  });
  return text;
}

/** Return the steps at which a player's line has markers: not too many, and in other columns than those of others. */
export function markerSteps(steps: number, seat: number, players: number): number[] {
  const distance = Math.max(1, Math.round(steps / 6));
  const markers: number[] = [];
  for (let step = Math.round((distance * (seat + 0.5)) / players); step < steps; step += distance) markers.push(step);
  return markers;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
