import { useEffect, useState } from 'react';

type BlurOf = (thumbHash: string) => string | undefined;

/** It is small, but not needed before the photographs' places are known: it comes beside the data. */
const coming = import('../../memories/web/blur.ts');
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
