import { useEffect, useState } from 'react';
import { first, isServer } from '../../base/web/first.ts';

type BlurOf = (thumbHash: string) => string | undefined;

/**
 * It is small, but not needed before the photographs' places are known: it comes beside the data. Where the server has
 * drawn the page, the photographs are on their way already.
 */
const coming =
  isServer || first() !== null ? new Promise<never>(() => undefined) : import('../../memories/web/blur.ts');
let here: BlurOf | null = null;
coming.then(
  ({ blurOf }) => {
    here = blurOf;
  },
  () => undefined,
);

const none: BlurOf = () => undefined;

/** A ThumbHash as a tiny picture, as soon as that can be drawn. */
export function useBlur(): BlurOf {
  const [blurOf, setBlurOf] = useState<BlurOf>(() => here ?? none);
  useEffect(() => {
    coming.then(
      (module) => setBlurOf(() => module.blurOf),
      () => undefined,
    );
  }, []);
  return blurOf;
}
