import { useEffect, useState } from 'react';
import { isServer, ssrRequest } from '../../base/web/ssr.ts';

type BlurOf = (thumbHash: string) => string | undefined;

/**
 * The decoder loads in parallel with the data. It isn't needed if the server has rendered the page, because the
 * photographs are already loading.
 */
const coming =
  isServer || ssrRequest() !== null ? new Promise<never>(() => undefined) : import('../../memories/web/blur.ts');
let loaded: BlurOf | null = null;
coming.then(
  ({ blurOf }) => {
    loaded = blurOf;
  },
  () => undefined,
);

const none: BlurOf = () => undefined;

/** Returns a function that turns a ThumbHash into a data URL, or undefined until the decoder has loaded. */
export function useBlur(): BlurOf {
  const [blurOf, setBlurOf] = useState<BlurOf>(() => loaded ?? none);
  useEffect(() => {
    coming.then(
      (module) => setBlurOf(() => module.blurOf),
      () => undefined,
    );
  }, []);
  return blurOf;
}
