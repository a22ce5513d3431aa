/**
 * Makes small pictures of large files beside the page, so that choosing a hundred of them freezes nothing (issue 4).
 * It is asked with `{ id, file }` and answers `{ id, blob, width, height }`, or `{ id }` alone where the browser cannot
 * read the file.
 */
export interface PreviewAnswer {
  readonly id: number;
  readonly blob?: Blob;
  readonly width?: number;
  readonly height?: number;
}

/** Wide enough for a sharp print on the page, and small enough that a hundred of them weigh little. */
const WIDTH = 480;

addEventListener('message', ({ data }: MessageEvent<{ id: number; file: File }>) => {
  const { id, file } = data;
  makePreview(file).then(
    (preview) => postMessage({ id, ...preview } satisfies PreviewAnswer),
    () => postMessage({ id } satisfies PreviewAnswer),
  );
});

async function makePreview(file: File) {
  // Not resized by this call: with a width given, Chromium forgets to turn the picture upright.
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, WIDTH / bitmap.width);
  const width = Math.max(1, Math.round(bitmap.width * scale));
  const height = Math.max(1, Math.round(bitmap.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is nothing to draw on.');
  context.imageSmoothingQuality = 'medium';
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return { blob: await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 }), width, height };
}
