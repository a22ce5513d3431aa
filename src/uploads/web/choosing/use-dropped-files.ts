import { useEffectEvent, useLayoutEffect, useState } from 'react';

/**
 * Accepts files dropped anywhere on the page, since the browser would otherwise open them, and pasted images.
 * @returns whether files are being dragged over the page
 */
export function useDroppedFiles(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent((files: FileList | undefined) => {
    if (files && files.length > 0) onFiles([...files]);
  });
  // Before the first paint, so that no drop is lost.
  useLayoutEffect(() => {
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(event.type !== 'dragleave' || event.relatedTarget !== null);
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      take(event.dataTransfer.files);
    };
    const paste = (event: ClipboardEvent) => take(event.clipboardData?.files);
    const listeners = { dragenter: drag, dragover: drag, dragleave: drag, drop, paste };
    for (const [type, listener] of Object.entries(listeners)) window.addEventListener(type, listener as EventListener);
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        window.removeEventListener(type, listener as EventListener);
      }
    };
  }, []);
  return isOver;
}
