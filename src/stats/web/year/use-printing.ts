import { useEffect, useState } from 'react';

/** How long printing waits for photographs, in milliseconds. One that is not there by then is printed as its blur. */
const WAIT_MS = 15_000;

/** Prints the page once the photographs of all its parts are loaded. While `isPrinting`, they should load at once. */
export function usePrinting() {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    if (!isPrinting) return undefined;
    let isStopped = false;
    const images = [...document.images].map((image) => image.decode().catch(() => undefined));
    const timeout = new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    void Promise.race([Promise.all(images), timeout]).then(() => {
      if (!isStopped) window.print();
      setPrinting(false);
    });
    return () => {
      isStopped = true;
    };
  }, [isPrinting]);
  return { isPrinting, print: () => setPrinting(true) };
}
