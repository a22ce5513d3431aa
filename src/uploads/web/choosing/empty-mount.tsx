import { Camera, Images } from 'lucide-react';
import { Corners } from '../../../kit/web/album/corners.tsx';
import { DrawnPrints } from '../../../kit/web/album/drawn-prints.tsx';
import { cx } from '../../../kit/web/cx.ts';
import { Button, buttonClass } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import css from './empty-mount.module.css';

export interface EmptyMountProps {
  /** The id of the file input that the whole mount opens. */
  readonly input: string;
  /** The id of the hint that describes the input. */
  readonly hint: string;
  /** Whether files are being dragged over the page. */
  readonly isOver: boolean;
  readonly onCamera: () => void;
}

/** What the upload page shows before photographs are chosen. `useDroppedFiles` takes those that are dropped (uploads.choosing.1). */
export function EmptyMount({ input, hint, isOver, onCamera }: EmptyMountProps) {
  return (
    <div className={cx(css.mount, isOver && css.over)}>
      <Corners />
      <DrawnPrints />
      <p className="felt">Drag and drop, or click to browse</p>
      <Actions center className={css.actions}>
        <label className={buttonClass({ variant: 'primary' }, css.label)} htmlFor={input}>
          <Images />
          Choose photos
        </label>
        <Button icon={<Camera />} onClick={onCamera}>
          Take Photo
        </Button>
      </Actions>
      <p className={cx(css.hint, 'aside')} id={hint}>
        JPEG, PNG, GIF, WebP • Max 100MB per image • Up to 100 images
      </p>
    </div>
  );
}
