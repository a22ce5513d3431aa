/** Lighthouse’s simulated phone: its window, slow 4G, and a CPU four times slower than this one. */
export const WINDOW = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  reducedMotion: 'reduce',
} as const;
export const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 };
export const CPU_SLOWDOWN = 4;
