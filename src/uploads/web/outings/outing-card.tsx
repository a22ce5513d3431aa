import { countText, plural } from '../../../base/text.ts';
import { clockTime, longDate } from '../../../base/time.ts';
import { deviceZone } from '../../../base/web/device/now.ts';
import { counter } from '../../../base/web/forms/form.ts';
import { OPTIONAL_TEXTS } from '../../../dates/optional-texts.ts';
import { ideaNamed } from '../../../dates/past-form.ts';
import type { DateIdea } from '../../../ideas/contract.ts';
import { CATEGORIES, ideaLimits } from '../../../ideas/rules.ts';
import { Photo } from '../../../kit/web/album/print.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/fields.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import type { Outing, OutingWords } from '../../outings.ts';
import { usePreview } from '../choosing/previews.ts';
import css from './outings.module.css';

/** How many of its photos an outing shows. */
const SHOWN = 4;

export interface OutingCardProps {
  readonly outing: Outing;
  readonly words: OutingWords;
  readonly fileOf: (photoId: string) => File | undefined;
  readonly ideas: readonly DateIdea[];
  /** The id of the list of our ideas' titles. */
  readonly titles: string;
  /** Whether it was to be added without a title. */
  readonly isUntitled: boolean;
  readonly isAdding: boolean;
  readonly onWrite: (words: OutingWords) => void;
  readonly onAdd: () => void;
}

/** One outing: its day and times, its photos, and the fields that make it a date. */
export function OutingCard(props: OutingCardProps) {
  const { outing, words, fileOf, ideas, titles, isUntitled, isAdding, onWrite, onAdd } = props;
  const zone = deviceZone();
  const day = longDate(outing.start, zone);
  const known = ideaNamed(ideas, words.what);
  return (
    <li className={css.outing} aria-label={day}>
      <div className={css.head}>
        <h3 className={css.day}>{day}</h3>
        <p className="aside num">
          {clockTime(outing.start, zone)} – {clockTime(outing.end, zone)} · {plural(outing.ids.length, 'photo')}
        </p>
      </div>
      <ul className={css.photos} aria-label="Its first photos">
        {outing.ids.slice(0, SHOWN).map((id) => (
          <OutingPhoto key={id} file={fileOf(id)} />
        ))}
      </ul>
      <Fields>
        <TextField
          label="What did we do?"
          required
          autoComplete="off"
          list={titles}
          hint={known ? 'One of our ideas.' : undefined}
          error={isUntitled ? 'Please say what we did' : undefined}
          {...counter(countText(words.what), ideaLimits.title)}
          value={words.what}
          onChange={({ target }) => onWrite({ ...words, what: target.value })}
        />
      </Fields>
      <Fields pair>
        <SelectField
          label="Category"
          required
          disabled={known !== undefined}
          value={known?.category ?? words.category}
          onChange={({ target }) => onWrite({ ...words, category: target.value })}
        >
          {CATEGORIES.map(({ value, displayName }) => (
            <option key={value} value={value}>
              {displayName}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Location"
          optional
          autoComplete="off"
          {...counter(countText(words.location), OPTIONAL_TEXTS.location.max, '/')}
          value={words.location}
          onChange={({ target }) => onWrite({ ...words, location: target.value })}
        />
      </Fields>
      <p>
        <Button busy={isAdding} onClick={onAdd}>
          Add This Date
        </Button>
      </p>
    </li>
  );
}

function OutingPhoto({ file }: { file: File | undefined }) {
  const preview = usePreview(file);
  return (
    <li className={css.photo}>
      {preview !== undefined && (
        <Photo src={preview?.url} width={preview?.width ?? 3} height={preview?.height ?? 2} eager />
      )}
    </li>
  );
}
