import { splitLinks } from '../../../base/links.ts';
import type { MeasureText } from '../../album-pages.ts';
import { countWrappedLines } from '../../count-wrapped-lines.ts';

export const PIXELS_PER_MM = 96 / 25.4;
/** Texts are measured as if they had a little less room, because a printer's letters may be a little wider. */
const CAUTION = 0.97;

interface Style {
  readonly font: string;
  /** In millimeters. */
  readonly line: number;
  readonly padding: number;
}

/**
 * Returns a function that measures texts in millimeters. It counts their lines on a canvas: to lay out the page for each
 * text would take minutes.
 * @param samples an element of each kind of text
 */
export function measureTextsLike(samples: Readonly<Record<Parameters<MeasureText>[0], Element>>): MeasureText {
  const brush = document.createElement('canvas').getContext('2d');
  const styles = Object.fromEntries(Object.entries(samples).map(([kind, sample]) => [kind, styleOf(sample)]));
  const widths = new Map<string, number>();
  const heights = new Map<string, number>();
  const widthIn = (font: string) => (text: string) => {
    const key = `${font} ${text}`;
    const known = widths.get(key);
    if (known !== undefined || brush === null) return known ?? 0;
    brush.font = font;
    const width = brush.measureText(text).width / PIXELS_PER_MM;
    widths.set(key, width);
    return width;
  };
  return (kind, text, width) => {
    const key = `${kind} ${width.toFixed(2)} ${text}`;
    const known = heights.get(key);
    if (known !== undefined) return known;
    const { font, line, padding } = styles[kind] as Style;
    const height = padding + line * countWrappedLines(withHosts(text), width * CAUTION, widthIn(font));
    heights.set(key, height);
    return height;
  };
}

function styleOf(sample: Element): Style {
  const { fontStyle, fontWeight, fontSize, fontFamily, lineHeight, paddingBlockStart, paddingBlockEnd } =
    getComputedStyle(sample);
  return {
    font: `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`,
    line: Number.parseFloat(lineHeight) / PIXELS_PER_MM,
    padding: (Number.parseFloat(paddingBlockStart) + Number.parseFloat(paddingBlockEnd)) / PIXELS_PER_MM,
  };
}

/** A text with the hosts that are shown behind its web addresses. */
function withHosts(text: string): string {
  return splitLinks(text)
    .map((piece) => (typeof piece === 'string' ? piece : `${piece.text} ${piece.host}`))
    .join('');
}
