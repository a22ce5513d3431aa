import { useEffect, useState } from 'react';
import type { Memory } from '../../../memories/contract.ts';
import { blurOf } from '../../../memories/web/blur.ts';
import { compressForPrint } from './compress-for-print.ts';
import css from './printed-page.module.css';

/** Says that a photograph is loaded, or could not be. */
export type OnSettled = (memoryId: string, isLoaded: boolean) => void;

interface PhotographProps {
  readonly memory: Memory;
  /** In print, in millimeters. */
  readonly printedWidth: number;
  readonly onSettled?: OnSettled;
}

/** A photograph with a white border. Offline it may be only the thumbnail, or else its blur. */
export function PhotographOnPaper({ memory, printedWidth, onSettled }: PhotographProps) {
  const { id, previewUrl, thumbnailUrl, thumbHash, width, height, caption } = memory;
  const [failures, setFailures] = useState(0);
  const [jpeg, setJpeg] = useState<string>();
  useEffect(() => {
    if (jpeg === undefined) return undefined;
    return () => URL.revokeObjectURL(jpeg);
  }, [jpeg]);
  const sources = [previewUrl, thumbnailUrl, blurOf(thumbHash)];
  const compress = async (image: HTMLImageElement) => {
    const isCompressed = jpeg !== undefined || failures > 1;
    const url = isCompressed ? null : await compressForPrint(image, printedWidth);
    if (url === null) onSettled?.(id, failures < 2);
    else if (image.isConnected) setJpeg(url);
    else URL.revokeObjectURL(url);
  };
  return (
    <img
      className={css.photograph}
      src={jpeg ?? sources[Math.min(failures, sources.length - 1)]}
      alt={caption ?? ''}
      width={width}
      height={height}
      decoding="async"
      onLoad={({ currentTarget }) => void compress(currentTarget)}
      onError={() => {
        setFailures(failures + 1);
        if (failures > 0) onSettled?.(id, false);
      }}
    />
  );
}
