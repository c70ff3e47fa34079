/**
 * Draws the result of a game as a picture: title, board, players and scores.
 *
 * The board is the game's own drawing with its styles written into it, since a picture does not know
 * the page's style sheets. Everything else is drawn on a canvas, which knows the page's fonts.
 */
import { flushSync, mount, unmount } from 'svelte';
import type { BoardController, Game } from '../../games/types';

export interface ResultPicture {
  title: string;
  date: string;
  outcome: string;
  footer: string;
  rows: readonly { place: number; name: string; score: string; colour: string }[];
}

const WIDTH = 1080;
const EDGE = 56;
const BOARD = WIDTH - 2 * EDGE; // the most width and height of the board
const ROW = 68;

// Copied where they differ from the parent's, so that symbols still inherit from where they are used.
const INHERITED = [
  'color', 'fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray',
  'stroke-linecap', 'stroke-linejoin', 'font-family', 'font-size', 'font-weight', 'letter-spacing', 'text-anchor', 'visibility',
  'paint-order', 'dominant-baseline',
]; // prettier-ignore
const OWN = { opacity: '1', transform: 'none', 'clip-path': 'none', mask: 'none', filter: 'none', display: 'inline', 'stop-color': 'rgb(0, 0, 0)', 'stop-opacity': '1' };

/** Return the board of a finished game as an image, and its size. */
async function drawBoard(game: Game, controller: BoardController, place: HTMLElement): Promise<HTMLImageElement> {
  const board = mount(game.Board, { target: place, props: { controller: atRest(controller) } });
  flushSync();
  await nextFrame(); // the board looks at its size …
  await nextFrame(); // … and is drawn again
  const drawn = place.querySelector('img'); // a board may be a picture already
  await drawn?.decode();
  const svg = place.querySelector('svg');
  const { width, height } = svg?.viewBox.baseVal ?? { width: drawn?.naturalWidth ?? 1, height: drawn?.naturalHeight ?? 1 };
  const scale = Math.min(BOARD / width, BOARD / height);
  const image = new Image(width * scale, height * scale);
  image.src = svg ? pictureOf(svg, image) : (drawn?.src ?? '');
  await unmount(board);
  await image.decode();
  return image;
}

/** Return a drawing as the address of a picture, in the size of an image. */
function pictureOf(svg: SVGSVGElement, { width, height }: HTMLImageElement): string {
  const copy = withStyles(svg);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', `${width}`);
  copy.setAttribute('height', `${height}`);
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** Return a controller of the same position in which nothing happens. */
function atRest(controller: BoardController): BoardController {
  const { position, history, view, seats, names } = controller;
  const nothing = { playing: null, lastEvents: [], legal: [], considered: null, selected: null, preview: null, hinted: null };
  const ignored = { consider() {}, choose() {}, act() {}, previewOf: () => Promise.resolve(null) };
  return { position, history, view, seats, names, ...nothing, ...ignored };
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Return a copy of a drawing that looks the same without style sheets. */
function withStyles(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, at) => {
    const style = getComputedStyle(original);
    const parent = at ? getComputedStyle(original.parentElement!) : null;
    for (const name of INHERITED) {
      const value = style.getPropertyValue(name);
      if (value !== parent?.getPropertyValue(name)) copies[at]!.style.setProperty(name, value);
    }
    for (const [name, initial] of Object.entries(OWN)) {
      const value = style.getPropertyValue(name);
      if (value !== initial && at) copies[at]!.style.setProperty(name, value);
    }
  });
  return copy;
}

/** Draw a result; return a PNG file. */
export async function drawResult(picture: ResultPicture, game: Game, controller: BoardController): Promise<Blob> {
  const place = document.createElement('div');
  place.className = 'board-area';
  place.inert = true;
  Object.assign(place.style, { position: 'fixed', left: '-9999px', top: '0', width: `${BOARD}px`, height: `${BOARD}px` });
  document.body.append(place);
  try {
    const board = await drawBoard(game, controller, place);
    const canvas = document.createElement('canvas');
    compose(canvas, picture, board, (value) => colourOf(place, value));
    return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'));
  } finally {
    place.remove();
  }
}

/** Return a colour as a canvas takes it, in the theme of the page. */
function colourOf(place: HTMLElement, value: string): string {
  place.style.color = value;
  return getComputedStyle(place).color;
}

function compose(canvas: HTMLCanvasElement, picture: ResultPicture, board: HTMLImageElement, colour: (value: string) => string): void {
  const boardTop = 236;
  const rowsTop = boardTop + board.height + 32;
  canvas.width = WIDTH;
  canvas.height = Math.ceil(rowsTop + picture.rows.length * ROW + 92);
  const context = canvas.getContext('2d')!;
  const page = getComputedStyle(document.documentElement);
  const text = (what: string, x: number, y: number, font: string, ink: string, align: CanvasTextAlign = 'left', width = BOARD) => {
    context.font = font.replace('sans', page.getPropertyValue('--sans')).replace(' title', ` ${page.getPropertyValue('--serif')}`);
    context.fillStyle = colour(`var(--${ink})`);
    context.textAlign = align;
    context.fillText(what, x, y, width);
  };

  context.fillStyle = colour('var(--plaster)');
  context.fillRect(0, 0, WIDTH, canvas.height);
  ornament(context, 0, colour);
  ornament(context, canvas.height - 28, colour);
  text(picture.title, EDGE, 122, '68px title', 'ink', 'left', 640);
  text(picture.date, WIDTH - EDGE, 118, '30px sans', 'ink-soft', 'right', 300);
  text(picture.outcome, EDGE, 186, '600 36px sans', 'accent');
  context.drawImage(board, (WIDTH - board.width) / 2, boardTop, board.width, board.height);
  picture.rows.forEach((row, at) => {
    const top = rowsTop + at * ROW;
    context.fillStyle = colour('var(--line)');
    if (at) context.fillRect(EDGE, top, BOARD, 1);
    context.fillStyle = colour(row.colour);
    context.fillRect(EDGE, top + 10, 12, ROW - 20);
    text(`${row.place}.`, EDGE + 32, top + 46, '34px sans', 'ink-soft');
    text(row.name, EDGE + 92, top + 46, `${row.place === 1 ? 700 : 400} 36px sans`, 'ink', 'left', 620);
    text(row.score, WIDTH - EDGE, top + 46, '700 36px sans', 'ink', 'right', 220);
  });
  text(picture.footer, WIDTH / 2, canvas.height - 46, '30px title', 'ink-soft', 'center');
}

/** Draw a band of inlaid tiles. */
function ornament(context: CanvasRenderingContext2D, top: number, colour: (value: string) => string): void {
  const side = 28;
  context.fillStyle = colour('var(--accent)');
  context.fillRect(0, top, WIDTH, side);
  for (let x = side / 2; x < WIDTH + side; x += side * 1.5) {
    context.fillStyle = colour('var(--plaster)');
    for (const turn of [0, Math.PI / 4]) {
      context.save();
      context.translate(x, top + side / 2);
      context.rotate(turn);
      context.fillRect(-6.5, -6.5, 13, 13);
      context.restore();
    }
  }
}
