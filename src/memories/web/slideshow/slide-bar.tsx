import { Download, Maximize, Minimize, Pencil, Trash2, X } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import icon from '../../../kit/web/forms/icon-button.module.css';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import type { Memory } from '../../contract.ts';
import css from './slideshow.module.css';
import type { Slides } from './use-slides.ts';

export interface SlideBarProps {
  readonly slides: Slides;
  /** The element shown in full screen. A `dialog` itself is not allowed. */
  readonly screen: RefObject<HTMLElement | null>;
  readonly onEdit: (memory: Memory) => void;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** The position, and the buttons for the current slide. */
export function SlideBar({ slides, screen, onEdit, onDelete, onClose }: SlideBarProps) {
  const { memory, place, total } = slides;
  return (
    <div className={css.bar}>
      <p className="num">
        {place + 1} / {total}
      </p>
      <div className={css.tools}>
        <FullScreenButton screen={screen} />
        {memory && (
          <a className={icon.button} href={memory.imageUrl} download={memory.originalFileName} title="Download">
            <Download />
            <span className="visually-hidden">Download</span>
          </a>
        )}
        <IconButton label="Edit" icon={<Pencil />} disabled={!memory} onClick={() => memory && onEdit(memory)} />
        <IconButton label="Delete" icon={<Trash2 />} disabled={!memory} onClick={onDelete} />
        <IconButton label="Close" icon={<X />} onClick={onClose} />
      </div>
    </div>
  );
}

/** Hidden on iPhones, which have no full screen for pages. */
function FullScreenButton({ screen }: { screen: SlideBarProps['screen'] }) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const update = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const toggle = () => {
    const change = isFull ? document.exitFullscreen() : screen.current?.requestFullscreen();
    change?.catch(() => undefined);
  };
  return (
    <IconButton
      label={isFull ? 'Leave full screen' : 'Full screen'}
      icon={isFull ? <Minimize /> : <Maximize />}
      onClick={toggle}
    />
  );
}
