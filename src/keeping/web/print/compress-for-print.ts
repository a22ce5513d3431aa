/** What a printer shows: 300 dpi. */
const PIXELS_PER_MM = 300 / 25.4;
/** At this quality no print shows what is lost. */
const QUALITY = 0.9;

/**
 * Returns the object URL of a loaded image as a JPEG, with no more pixels than a printer shows (keeping.print.5). A browser
 * writes a JPEG into a PDF as it is, and any other image uncompressed, which is ten times as large. Null if the browser
 * can't do it.
 * @param width in print, in millimeters
 */
export async function compressForPrint(image: HTMLImageElement, width: number): Promise<string | null> {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.min(1, (width * PIXELS_PER_MM) / naturalWidth);
  try {
    const canvas = new OffscreenCanvas(Math.round(naturalWidth * scale), Math.round(naturalHeight * scale));
    const context = canvas.getContext('2d');
    if (context === null) return null;
    // Paper, under what is transparent.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY }));
  } catch {
    return null;
  }
}
