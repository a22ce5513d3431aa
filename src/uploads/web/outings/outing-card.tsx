import { type KeyboardEvent, memo } from 'react';
import { countText } from '../../../base/clean-text.ts';
import { clockTime, longDate, stubDay } from '../../../base/date-formats.ts';
import { plural } from '../../../base/number-texts.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { counter } from '../../../base/web/forms/counter.ts';
import { OPTIONAL_TEXTS } from '../../../dates/optional-texts.ts';
import { ideaNamed } from '../../../dates/past-form.ts';
import { CATEGORIES } from '../../../ideas/categories.ts';
import type { DateIdea } from '../../../ideas/contract.ts';
import { ideaLimits } from '../../../ideas/rules.ts';
import { Photo } from '../../../kit/web/album/photo.tsx';
import { Stamp } from '../../../kit/web/album/stamp.tsx';
import { cx } from '../../../kit/web/cx.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Fields } from '../../../kit/web/forms/form.tsx';
import { SelectField } from '../../../kit/web/forms/select-field.tsx';
import { TextField } from '../../../kit/web/forms/text-field.tsx';
import { isNamed, type OutingWords, outingFaults } from '../../outing-words.ts';
import type { Outing } from '../../outings.ts';
import { usePreview } from '../choosing/use-preview.ts';
import css from './outings.module.css';

/** How many of its photos an outing shows. */
const SHOWN = 4;

export interface OutingCardProps {
  readonly outing: Outing;
  readonly words: OutingWords;
  /** Its index among the outings. */
  readonly place: number;
  readonly fileOf: (photoId: string) => File | undefined;
  readonly ideas: readonly DateIdea[];
  /** The id of the list of our ideas' titles. */
  readonly titles: string;
  /** Whether it was to be added without a title. */
  readonly isUntitled: boolean;
  readonly isAdding: boolean;
  readonly isLast: boolean;
  readonly onWrite: (words: OutingWords) => void;
  /** Enter on the title, which a phone's keyboard calls 'next'. */
  readonly onNext: () => void;
  readonly onAdd: () => void;
}

/**
 * One outing as a contact strip: its day and times, its photos, and the fields that make it a date. A key press renders
 * only the strip in which it was typed.
 */
export const OutingCard = memo(Strip, isSameStrip);

/** The functions follow from the rest. */
function isSameStrip(before: OutingCardProps, after: OutingCardProps): boolean {
  return SHOWN_PROPS.every((name) => before[name] === after[name]);
}

const SHOWN_PROPS = ['outing', 'words', 'place', 'ideas', 'isUntitled', 'isAdding', 'isLast'] as const;

function Strip(props: OutingCardProps) {
  const { outing, words, fileOf, isAdding, onAdd } = props;
  const zone = deviceZone();
  const day = longDate(outing.start, zone);
  const named = isNamed(words);
  return (
    <li className={cx(css.outing, named && css.named)} aria-label={day}>
      <div className={css.head}>
        <div className={css.times}>
          <h3 className={css.day}>{day}</h3>
          <p className={cx('aside num', css.facts)}>
            <span>
              {clockTime(outing.start, zone)} – {clockTime(outing.end, zone)}
            </span>
            <span>{plural(outing.ids.length, 'photo')}</span>
          </p>
        </div>
        {named && <OutingStamp start={outing.start} zone={zone} />}
      </div>
      <ul className={css.photos} aria-label="Its first photos">
        {outing.ids.slice(0, SHOWN).map((id) => (
          <OutingPhoto key={id} file={fileOf(id)} />
        ))}
      </ul>
      <OutingFields {...props} />
      <p>
        <Button busy={isAdding} onClick={onAdd}>
          Add This Date
        </Button>
      </p>
    </li>
  );
}

function OutingFields({ words, ideas, titles, isUntitled, isLast, onWrite, onNext }: OutingCardProps) {
  const known = ideaNamed(ideas, words.what);
  const faults = outingFaults(words);
  const goOn = (event: KeyboardEvent) => {
    // Enter that ends a composed character is not meant, and it must not send the photos.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onNext();
  };
  return (
    <>
      <TextField
        className={css.what}
        label="What did we do?"
        required
        autoComplete="off"
        enterKeyHint={isLast ? 'done' : 'next'}
        list={titles}
        hint={known ? 'One of our ideas.' : undefined}
        error={isNamed(words) || isUntitled ? faults.what : undefined}
        {...counterNear(words.what, ideaLimits.title, ' / ')}
        value={words.what}
        onChange={({ target }) => onWrite({ ...words, what: target.value })}
        onKeyDown={goOn}
      />
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
          enterKeyHint={isLast ? 'done' : 'next'}
          error={faults.location}
          {...counterNear(words.location, OPTIONAL_TEXTS.location.max, '/')}
          value={words.location}
          onChange={({ target }) => onWrite({ ...words, location: target.value })}
          onKeyDown={goOn}
        />
      </Fields>
    </>
  );
}

/** A counter once the text comes near its limit: twenty strips with two counters each would be much to scroll. */
function counterNear(text: string, limit: number, between: ' / ' | '/') {
  const count = countText(text);
  return count > 0.8 * limit ? counter(count, limit, between) : {};
}

/** The stamp of the ticket that a named outing becomes. The heading says the same. */
function OutingStamp({ start, zone }: { start: number; zone: string }) {
  const { monthAndDay, year } = stubDay(start, zone);
  return (
    <div className={css.stamp} data-hue="completed" aria-hidden="true">
      <Stamp label="Completed" top={monthAndDay} bottom={year} fresh />
    </div>
  );
}

function OutingPhoto({ file }: { file: File | undefined }) {
  // Our photographs below have time.
  const preview = usePreview(file, true);
  return (
    <li className={css.photo}>
      {preview !== undefined && (
        <Photo src={preview?.url} width={preview?.width ?? 3} height={preview?.height ?? 2} eager />
      )}
    </li>
  );
}
