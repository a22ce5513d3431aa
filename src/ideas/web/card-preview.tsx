import { type Control, useWatch } from 'react-hook-form';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { IndexCard } from '../../kit/web/album/index-card.tsx';
import type { DateIdea } from '../contract.ts';
import type { IdeaForm } from '../form-rules.ts';
import { ideaAgeText } from '../idea-age-texts.ts';
import css from './card-preview.module.css';
import { CategoryTab } from './category-tab.tsx';

/**
 * A preview of the card beside the form on wide screens. It repeats the form, so it is hidden from screen readers.
 */
export function CardPreview({ idea, control }: { idea: DateIdea; control: Control<IdeaForm> }) {
  const [title, description, category, isActive] = useWatch({
    control,
    name: ['title', 'description', 'category', 'isActive'],
  });
  return (
    <div className={`desk-only ${css.preview}`} aria-hidden="true">
      <IndexCard
        hue={category}
        tab={<CategoryTab category={category} />}
        title={title.trim() || '…'}
        text={description.trim()}
        foot={ideaAgeText(idea, useNow(), deviceZone())}
        inactive={!isActive}
      />
    </div>
  );
}
