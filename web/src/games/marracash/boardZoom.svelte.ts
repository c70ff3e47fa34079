/** The section of the board that is shown. */
import type { Point } from './geometry';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const MAX_SCALE = 4;
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

export class BoardZoom {
  #scale = $state(1);
  #centre: Point | null = $state.raw(null);

  /** `box`: the whole drawing; `size`: of the element, in pixels. */
  constructor(
    readonly box: () => Box,
    readonly size: () => { width: number; height: number },
  ) {}

  get scale(): number {
    return this.#scale;
  }

  /** Pixels per unit of the drawing. */
  get pixels(): number {
    const [box, size] = [this.box(), this.size()];
    return this.#scale * Math.min(size.width / box.width, size.height / box.height);
  }

  /** The shown section, which fills the element where the drawing is large enough. */
  get viewBox(): Box {
    const [box, size] = [this.box(), this.size()];
    if (this.#scale === 1) return box;
    const [width, height] = [Math.min(box.width, size.width / this.pixels), Math.min(box.height, size.height / this.pixels)];
    const [x, y] = this.#centre ?? [box.x + box.width / 2, box.y + box.height / 2];
    return {
      x: clamp(x - width / 2, box.x, box.x + box.width - width),
      y: clamp(y - height / 2, box.y, box.y + box.height - height),
      width,
      height,
    };
  }

  get centre(): Point {
    const { x, y, width, height } = this.viewBox;
    return [x + width / 2, y + height / 2];
  }

  /** Zoom in or out around a point, which stays where it is on the screen. */
  zoomBy(factor: number, [x, y]: Point = this.centre): void {
    const [cx, cy] = this.centre;
    const scale = clamp(this.#scale * factor, 1, MAX_SCALE);
    const by = this.#scale / scale;
    this.#scale = scale < 1.05 ? 1 : scale;
    this.#centre = [x + (cx - x) * by, y + (cy - y) * by];
  }

  panBy(dx: number, dy: number): void {
    const [x, y] = this.centre;
    this.#centre = [x + dx, y + dy];
  }

  reset(): void {
    this.#scale = 1;
  }

  /** Pan as far as is needed to show a point and what is around it. */
  show([x, y]: Point, around = 60): void {
    const box = this.viewBox;
    const by = (at: number, start: number, length: number) => Math.min(0, at - around - start) || Math.max(0, at + around - start - length);
    this.panBy(by(x, box.x, box.width), by(y, box.y, box.height));
  }

  /** How the browser may use touches: it scrolls the page unless the board can still be panned. */
  get touchAction(): string {
    if (this.#scale === 1) return 'pan-x pan-y';
    const [box, shown] = [this.box(), this.viewBox];
    const ways = [shown.y <= box.y && 'pan-up', shown.y + shown.height >= box.y + box.height - 0.1 && 'pan-down'];
    return ways.filter(Boolean).join(' ') || 'none';
  }
}
