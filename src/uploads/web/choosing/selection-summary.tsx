import { Camera, Plus, Trash2 } from 'lucide-react';
import { formatSize } from '../../../base/number-texts.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import { memoryLimits } from '../../../memories/rules.ts';
import type { UploadQueue } from '../../upload-queue.ts';
import { selectedText } from '../../upload-texts.ts';
import css from './upload-form.module.css';

export interface SelectionSummaryProps {
  readonly queue: UploadQueue;
  readonly onAdd: () => void;
  readonly onCamera: () => void;
  readonly onClear: () => void;
}

/** The number and total size of the selected photos, with buttons to add more or remove all. */
export function SelectionSummary({ queue, onAdd, onCamera, onClear }: SelectionSummaryProps) {
  const count = queue.items.length;
  const full = count >= memoryLimits.files;
  const size = queue.items.reduce((sum, item) => sum + item.size, 0);
  return (
    <section className={css.chosen}>
      <div className="num">
        <h2 className={css.count}>{selectedText(count)}</h2>
        <p className="aside">
          {formatSize(size)}
          {!full && <> · ({memoryLimits.files - count} remaining)</>}
        </p>
      </div>
      <Actions className={css.ways}>
        <Button icon={<Plus />} disabled={full || queue.isRunning} onClick={onAdd}>
          Add More
        </Button>
        <Button icon={<Camera />} disabled={full || queue.isRunning} onClick={onCamera}>
          Take Photo
        </Button>
        <Button variant="text" icon={<Trash2 />} disabled={queue.isRunning} onClick={onClear}>
          Remove All
        </Button>
      </Actions>
    </section>
  );
}
