/** The answer of this worker to a file: a small preview, made without blocking the page. Empty if the browser cannot read it. */
export interface PreviewAnswer {
  readonly blob?: Blob;
  readonly width?: number;
  readonly height?: number;
}

/** Wide enough to look sharp on the page, and small enough for a hundred previews in memory. */
const WIDTH = 480;

addEventListener('message', ({ data: file }: MessageEvent<File>) => {
  makePreview(file).then(
    (preview) => postMessage(preview),
    () => postMessage({}),
  );
});

async function makePreview(file: File): Promise<PreviewAnswer> {
  // Do not resize in this call: with a width, Chromium ignores the EXIF orientation.
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
