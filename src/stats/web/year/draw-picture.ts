/** Draws a year as one picture, always on light paper. Everything happens on the device (stats.year.6). */

import { numberText } from '../../../base/number-texts.ts';
import { lightTheme, type PictureBrush } from './picture-brush.ts';

/** What the picture shows. Empty parts are left out. */
export interface PictureContent {
  readonly year: number;
  readonly names: readonly string[];
  readonly photo: { readonly url: string; readonly caption: string | null } | null;
  readonly figures: readonly { readonly value: number; readonly label: string }[];
  /** The title of the longest date. */
  readonly longest: string | null;
  readonly places: readonly string[];
}

const WIDTH = 1080;
const HEIGHT = 1920;
const TOP = 104;
const LEFT = 132;
/** The width of the text and of the photograph with its mat. */
const ACROSS = WIDTH - LEFT - 84;
const FOOT = HEIGHT - 96;
const MAT = 24;
/** The most height of the photograph with its mat. It takes less if the other parts need the room. */
const PHOTO = 640;

/** A part of the picture, with its height in pixels. The photograph gets what is left. */
interface Part {
  readonly height: number;
  readonly draw: (top: number, height: number) => void;
  readonly isPhoto?: true;
}

/** @throws if the photograph can't be loaded */
export async function drawPicture(content: PictureContent): Promise<HTMLCanvasElement> {
  const canvas = Object.assign(document.createElement('canvas'), { width: WIDTH, height: HEIGHT });
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('This browser cannot draw');
  const brush = { ctx, ...lightTheme() };
  const text = Object.values(content).flat().join(' ');
  // A font of the list that the device does not have rejects. Then the next one is drawn.
  await Promise.allSettled(
    [`52px ${brush.serif}`, `italic 52px ${brush.serif}`].map((font) => document.fonts.load(font, text)),
  );
  const image = content.photo && (await loadImage(content.photo.url));
  drawPaper(brush);
  const parts = partsOf(brush, content, image);
  const others = parts.reduce((sum, { height, isPhoto }) => sum + (isPhoto ? 0 : height), 0);
  const photoHeight = Math.min(PHOTO, FOOT - 60 - TOP - others);
  let top = TOP;
  for (const { height, draw, isPhoto } of parts) {
    const own = isPhoto ? photoHeight : height;
    draw(top, own);
    top += own;
  }
  write(brush, 'Our Love Story', { font: `italic 34px ${brush.serif}`, color: 'ink-faded', top: FOOT - 34 });
  return canvas;
}

async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** The paper with the shade of its fold, and the thread of the binding. */
function drawPaper({ ctx, colors }: PictureBrush): void {
  ctx.fillStyle = colors.paper;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  const fold = ctx.createLinearGradient(0, 0, 96, 0);
  fold.addColorStop(0, colors.fold);
  fold.addColorStop(1, 'transparent');
  ctx.fillStyle = fold;
  ctx.fillRect(0, 0, 96, HEIGHT);
  ctx.fillStyle = colors.thread;
  for (let top = 104; top < HEIGHT - 240; top += 298) {
    ctx.fillRect(52.5, top, 5, 200);
    for (const end of [top, top + 200]) {
      ctx.beginPath();
      ctx.arc(55, end, 6, 0, 2 * Math.PI);
      ctx.fill();
    }
  }
}

function partsOf(brush: PictureBrush, content: PictureContent, image: HTMLImageElement | null): readonly Part[] {
  const { year, names, photo, figures, longest, places } = content;
  const { serif, sans } = brush;
  const parts: (Part | null)[] = [
    {
      height: 250,
      draw: (top) =>
        write(brush, String(year), { font: `290px ${serif}`, top: top - 40, left: LEFT - 14, spacing: '-0.055em' }),
    },
    names.length === 0
      ? null
      : paragraph(brush, isolated(names).join(' & '), {
          direction: 'ltr',
          italic: true,
          size: 52,
          color: 'ink-faded',
          lines: 1,
          after: 40,
        }),
    image && { height: PHOTO, isPhoto: true, draw: (top, height) => drawPhoto(brush, image, { top, height }) },
    photo?.caption ? paragraph(brush, photo.caption, { italic: true, size: 44, lines: 2, before: 28 }) : null,
    figures.length === 0 ? null : { height: 310, draw: (top) => drawFigures(brush, figures, top + 40) },
    longest === null ? null : label(brush, 'Our longest date', sans),
    longest === null ? null : paragraph(brush, longest, { size: 52, lines: 2 }),
    places.length === 0 ? null : label(brush, 'Where we went', sans),
    places.length === 0
      ? null
      : paragraph(brush, isolated(places).join(' · '), { direction: 'ltr', size: 44, lines: 3 }),
  ];
  return parts.filter((part) => part !== null);
}

/** Isolates texts in one line: one from right to left leaves the order of the others. */
const isolated = (texts: readonly string[]) => texts.map((text) => `\u2068${text}\u2069`);

/** The direction of a text by its first letter, as `dir=auto` has it. */
function directionOf(text: string): CanvasDirection {
  const probe = Object.assign(document.createElement('bdi'), { textContent: text });
  document.body.append(probe);
  const { direction } = getComputedStyle(probe);
  probe.remove();
  return direction === 'rtl' ? 'rtl' : 'ltr';
}

interface Style {
  readonly font: string;
  readonly top: number;
  readonly left?: number;
  readonly color?: keyof PictureBrush['colors'];
  readonly spacing?: string;
  readonly direction?: CanvasDirection;
}

/** Writes one line. `top` is the top of its letters' box. */
function write(
  { ctx, colors }: PictureBrush,
  text: string,
  { font, top, left = LEFT, color = 'ink', spacing, direction = 'ltr' }: Style,
): void {
  ctx.font = font;
  ctx.direction = direction;
  ctx.textAlign = direction === 'rtl' ? 'right' : 'left';
  ctx.textBaseline = 'top';
  ctx.fillStyle = colors[color];
  ctx.letterSpacing = spacing ?? '0px';
  ctx.fillText(text, direction === 'rtl' ? left + ACROSS : left, top);
}

interface Paragraph {
  readonly size: number;
  /** At most so many lines. The last one ends with an ellipsis if the text is longer. */
  readonly lines: number;
  /** By default that of its first letter. */
  readonly direction?: CanvasDirection;
  readonly italic?: true;
  readonly color?: keyof PictureBrush['colors'];
  readonly before?: number;
  readonly after?: number;
}

function paragraph(
  brush: PictureBrush,
  text: string,
  { size, italic, color = 'ink', before = 0, after = 0, lines, direction = directionOf(text) }: Paragraph,
): Part {
  const style = `${italic ? 'italic ' : ''}${size}px ${brush.serif}`;
  const wrapped = wrap(brush, text, { font: style, lines });
  const line = size * 1.25;
  return {
    height: before + wrapped.length * line + after,
    draw: (top) => {
      for (const [index, words] of wrapped.entries()) {
        write(brush, words, { font: style, color, direction, top: top + before + index * line });
      }
    },
  };
}

function label(brush: PictureBrush, text: string, sans: string): Part {
  return {
    height: 96,
    draw: (top) => write(brush, text, { font: `34px ${sans}`, color: 'ink-faded', top: top + 44 }),
  };
}

/** Breaks a text into lines that fit. A word that is too long for a line is broken too. */
function wrap(
  { ctx }: PictureBrush,
  text: string,
  { font, lines }: { font: string; lines: number },
): readonly string[] {
  ctx.font = font;
  ctx.letterSpacing = '0px';
  const fits = (line: string) => ctx.measureText(line).width <= ACROSS;
  const wrapped: string[] = [];
  let line = '';
  for (const word of text.split(/(?<=\s)/)) {
    let rest = word;
    while (!fits((line + rest).trimEnd())) {
      if (line === '') {
        let length = rest.length - 1;
        while (length > 1 && !fits(rest.slice(0, length))) length -= 1;
        wrapped.push(rest.slice(0, length));
        rest = rest.slice(length);
      } else {
        wrapped.push(line.trimEnd());
        line = '';
      }
    }
    line += rest;
  }
  if (line !== '') wrapped.push(line.trimEnd());
  if (wrapped.length <= lines) return wrapped;
  let last = wrapped[lines - 1] ?? '';
  while (!fits(`${last}…`)) last = last.slice(0, -1).trimEnd();
  return [...wrapped.slice(0, lines - 1), `${last}…`];
}

/** The photograph on its mat, in four paper corners, cropped to its space from the middle. */
function drawPhoto(
  { ctx, colors }: PictureBrush,
  image: HTMLImageElement,
  { top, height }: { top: number; height: number },
): void {
  ctx.save();
  ctx.shadowColor = 'rgb(60 40 30 / 0.25)';
  ctx.shadowBlur = 28;
  ctx.shadowOffsetY = 14;
  ctx.fillStyle = colors.mat;
  ctx.fillRect(LEFT, top, ACROSS, height);
  ctx.restore();
  ctx.strokeStyle = colors['mat-edge'];
  ctx.strokeRect(LEFT, top, ACROSS, height);
  const [width, tall] = [ACROSS - 2 * MAT, height - 2 * MAT];
  const scale = Math.max(width / image.naturalWidth, tall / image.naturalHeight);
  const [cutWidth, cutHeight] = [width / scale, tall / scale];
  const [x, y] = [(image.naturalWidth - cutWidth) / 2, (image.naturalHeight - cutHeight) / 2];
  ctx.drawImage(image, x, y, cutWidth, cutHeight, LEFT + MAT, top + MAT, width, tall);
  for (const [across, down] of [
    [1, 1],
    [-1, 1],
    [1, -1],
    [-1, -1],
  ] as const) {
    const [cornerX, cornerY] = [across > 0 ? LEFT - 10 : LEFT + ACROSS + 10, down > 0 ? top - 10 : top + height + 10];
    ctx.beginPath();
    ctx.moveTo(cornerX, cornerY);
    ctx.lineTo(cornerX + 78 * across, cornerY);
    ctx.lineTo(cornerX, cornerY + 78 * down);
    ctx.closePath();
    ctx.fillStyle = colors.corner;
    ctx.fill();
    ctx.strokeStyle = colors['corner-edge'];
    ctx.stroke();
  }
}

/** The figures side by side between two rules. */
function drawFigures(brush: PictureBrush, figures: PictureContent['figures'], top: number): void {
  const { ctx, colors, serif, sans } = brush;
  ctx.fillStyle = colors['rule-field'];
  for (const rule of [top, top + 240]) ctx.fillRect(LEFT, rule, ACROSS, 1.5);
  for (const [index, { value, label: name }] of figures.entries()) {
    const left = LEFT + (index * ACROSS * 1.05) / figures.length;
    write(brush, numberText(value), { font: `104px ${serif}`, top: top + 36, left });
    write(brush, name, { font: `34px ${sans}`, color: 'ink-faded', top: top + 164, left });
  }
}
