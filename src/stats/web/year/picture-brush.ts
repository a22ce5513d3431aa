/** What the picture of a year is drawn with. */
export interface PictureBrush {
  readonly ctx: CanvasRenderingContext2D;
  readonly colors: Readonly<Record<(typeof COLORS)[number], string>>;
  readonly serif: string;
  readonly sans: string;
}

const COLORS = [
  'paper',
  'fold',
  'thread',
  'ink',
  'ink-faded',
  'rule-field',
  'mat',
  'mat-edge',
  'corner',
  'corner-edge',
] as const;

/** The colors of the light scheme and the fonts, as the style sheet has them. */
export function lightTheme(): Omit<PictureBrush, 'ctx'> {
  const probe = document.createElement('span');
  probe.style.colorScheme = 'light';
  document.body.append(probe);
  const read = (property: 'color' | 'fontFamily', variable: string) => {
    probe.style[property] = `var(--${variable})`;
    return getComputedStyle(probe)[property];
  };
  const colors = Object.fromEntries(COLORS.map((name) => [name, read('color', name)])) as PictureBrush['colors'];
  const fonts = { serif: read('fontFamily', 'serif'), sans: read('fontFamily', 'sans') };
  probe.remove();
  return { colors, ...fonts };
}
