/** The color of the page's paper, in sRGB: the document's meta tags and the manifest can't read theme.css. */
export const THEME_COLORS = { light: '#fcf6ee', dark: '#1a120f' } as const;
