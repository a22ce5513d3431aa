/** Saves what is at an address as a file: the browser streams it to disk. The server may name it, without a `name`. */
export function downloadUrl(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** How long the browser may take to read a file after the click, in milliseconds. */
const READ_MS = 60_000;

/** Saves a file that this page has made. */
export function downloadFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  downloadUrl(url, name);
  setTimeout(() => URL.revokeObjectURL(url), READ_MS);
}
