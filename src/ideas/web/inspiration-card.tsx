import { IndexCard } from '../../kit/web/album/index-card.tsx';
import { CategoryIcon } from './category.tsx';
import css from './inspiration-card.module.css';

const HINTS = [
  { category: 'Indoor', where: 'At home', what: 'a blanket fort, a movie neither of us chose' },
  { category: 'Outdoor', where: 'Outside', what: 'a picnic by the river, a hill at sunrise' },
  { category: 'Food', where: 'At the market', what: 'three things we can’t name, then dinner' },
  { category: 'Adventure', where: 'By the sea', what: 'an island for a day, the last ferry back' },
  { category: 'Cultural', where: 'A class', what: 'clay, tango, a language for two' },
  { category: 'Active', where: 'For others', what: 'an afternoon at the animal shelter' },
];

/** The help card beside the add form (ideas.form.8). */
export function InspirationCard() {
  return (
    <IndexCard
      tab="Inspiration"
      title="Need some inspiration?"
      fullText
      text={
        <ul className={css.hints}>
          {HINTS.map(({ category, where, what }) => (
            <li key={where} data-hue={category}>
              <CategoryIcon category={category} />
              <span>
                <b>{where}:</b> {what}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  );
}
