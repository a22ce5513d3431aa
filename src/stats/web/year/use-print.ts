import { useEffect, useState } from 'react';

/** How long printing waits for photographs, in milliseconds. One that is not there by then is printed as its blur. */
const WAIT_MS = 15_000;

/** Prints the page once the photographs of all its parts are loaded. While `printing`, they should load at once. */
export function usePrint() {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    if (!printing) return undefined;
    let stopped = false;
    const images = [...document.images].map((image) => image.decode().catch(() => undefined));
    const timeout = new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    void Promise.race([Promise.all(images), timeout]).then(() => {
      if (!stopped) window.print();
      setPrinting(false);
    });
    return () => {
      stopped = true;
    };
  }, [printing]);
  return { printing, print: () => setPrinting(true) };
}
