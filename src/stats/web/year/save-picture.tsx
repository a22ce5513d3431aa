import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { downloadFile } from '../../../base/web/device/download.ts';
import { useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { DialogActions, SheetDialog } from '../../../kit/web/feedback/sheet-dialog.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { CheckField } from '../../../kit/web/forms/check-field.tsx';
import type { Year } from '../../contract.ts';
import { photosOfPages } from '../../year-photos.ts';
import { drawPicture, type PictureContent } from './draw-picture.ts';
import css from './save-picture.module.css';

type Part = 'names' | 'photo' | 'figures' | 'longest' | 'places';

const LABELS: Readonly<Record<Part, string>> = {
  names: 'Our names',
  photo: 'A photograph',
  figures: 'Hours and dates',
  longest: 'The longest date',
  places: 'Places',
};

interface SavePictureProps {
  readonly year: Year;
  readonly names: readonly string[];
}

/** The button that opens the dialog. */
export function SavePicture(props: SavePictureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="primary" icon={<Download />} onClick={() => setOpen(true)}>
        Save as a picture
      </Button>
      {isOpen && <SaveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Chooses what the picture shows, previews it, and saves it as a PNG of 1080 × 1920 pixels (stats.year.6). */
function SaveDialog({ year, names, onClose }: SavePictureProps & { onClose: () => void }) {
  const dialog = useDialog();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [chosen, setChosen] = useState<ReadonlySet<Part>>(new Set(['names', 'photo', 'figures', 'longest']));
  const [result, setResult] = useState<{ of: ReadonlySet<Part>; ok: boolean } | null>(null);
  const state = result?.of !== chosen ? 'drawing' : result.ok ? 'drawn' : 'failed';
  const possible = partsOf(year);

  useEffect(() => {
    let isOutdated = false;
    drawPicture(contentOf(year, names, chosen)).then(
      (drawn) => {
        if (isOutdated || !canvas.current) return;
        const { width, height } = drawn;
        Object.assign(canvas.current, { width, height });
        canvas.current.getContext('2d')?.drawImage(drawn, 0, 0);
        setResult({ of: chosen, ok: true });
      },
      () => {
        if (!isOutdated) setResult({ of: chosen, ok: false });
      },
    );
    return () => {
      isOutdated = true;
    };
  }, [year, names, chosen]);

  const choose = (part: Part, shown: boolean) =>
    setChosen((now) => new Set(shown ? [...now, part] : [...now].filter((other) => other !== part)));
  const save = () =>
    canvas.current?.toBlob((blob) => {
      if (!blob) return setResult({ of: chosen, ok: false });
      downloadFile(blob, `our-year-${year.year}.png`);
      dialog.current?.close();
    }, 'image/png');

  return (
    <SheetDialog ref={dialog} title="Save as a picture" className={css.dialog} onClose={onClose}>
      <div className={css.choose}>
        <canvas ref={canvas} className={css.preview} role="img" aria-label={`Preview: our year ${year.year}`} />
        <fieldset>
          <legend className="aside">Show</legend>
          {possible.map((part) => (
            <CheckField
              key={part}
              label={LABELS[part]}
              checked={chosen.has(part)}
              onChange={(event) => choose(part, event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      </div>
      <p className={`${css.hint} aside`} role="status">
        {state === 'failed'
          ? 'The photograph could not be loaded. Leave it out, or try again later.'
          : 'Drawn on this device. Nothing is sent.'}
      </p>
      <DialogActions className={css.actions}>
        <Button onClick={() => dialog.current?.close()}>Cancel</Button>
        <Button
          variant="primary"
          icon={<Download />}
          busy={state === 'drawing'}
          disabled={state === 'failed'}
          onClick={save}
        >
          Save
        </Button>
      </DialogActions>
    </SheetDialog>
  );
}

/** The parts that this year has something to show for. */
function partsOf(year: Year): readonly Part[] {
  const has: Readonly<Record<Part, boolean>> = {
    names: true,
    photo: year.photographs.length > 0,
    figures: true,
    longest: (year.longestDate?.value ?? 0) > 0,
    places: year.places.length > 0,
  };
  return (Object.keys(has) as Part[]).filter((part) => has[part]);
}

function contentOf(year: Year, names: readonly string[], chosen: ReadonlySet<Part>): PictureContent {
  const { opening } = photosOfPages(year);
  const { totalMinutes, dates, memories, longestDate, places } = year;
  const hours = Math.floor(totalMinutes / 60);
  const figures = [
    { value: hours, label: hours === 1 ? 'hour together' : 'hours together' },
    { value: dates, label: dates === 1 ? 'date' : 'dates' },
    { value: memories, label: memories === 1 ? 'photograph' : 'photographs' },
  ].filter(({ value }) => value > 0);
  return {
    year: year.year,
    names: chosen.has('names') ? names : [],
    photo: chosen.has('photo') && opening ? { url: opening.previewUrl, caption: opening.caption } : null,
    figures: chosen.has('figures') ? figures : [],
    longest: chosen.has('longest') && (longestDate?.value ?? 0) > 0 ? (longestDate?.title ?? null) : null,
    places: chosen.has('places') ? places.map(({ location }) => location) : [],
  };
}
