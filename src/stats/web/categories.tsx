import { Film, Heart, type LucideIcon, Plane, Trophy } from 'lucide-react';
import type { CSSProperties } from 'react';
import { plural } from '../../base/number-texts.ts';
import { CATEGORY_ICONS } from '../../ideas/web/category.tsx';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { categoryIcon, paletteHue } from '../category-figures.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';

/** Drawings by icon name. */
const DRAWINGS: Readonly<Record<ReturnType<typeof categoryIcon>, LucideIcon>> = {
  outdoor: CATEGORY_ICONS.Outdoor,
  indoor: CATEGORY_ICONS.Indoor,
  romantic: CATEGORY_ICONS.Romantic,
  adventure: CATEGORY_ICONS.Adventure,
  food: CATEGORY_ICONS.Food,
  entertainment: Film,
  relaxing: CATEGORY_ICONS.Relaxing,
  cultural: CATEGORY_ICONS.Cultural,
  sports: Trophy,
  travel: Plane,
  active: CATEGORY_ICONS.Active,
  heart: Heart,
};

type Category = StatsScreen['categories'][number];

/** 'Date Categories': hours per category as one stacked strip and as a table (stats.screen.4). */
export function Categories({ categories }: Pick<StatsScreen, 'categories'>) {
  const maxMinutes = Math.max(1, ...categories.map(({ totalMinutes }) => totalMinutes));
  return (
    <Section title="Date Categories">
      {categories.length === 0 ? (
        <p className="felt">No date categories yet!</p>
      ) : (
        <>
          <div className={css.strip} aria-hidden="true">
            {categories.map(({ categoryName, totalMinutes }, index) => (
              <i
                key={categoryName}
                data-hue="palette"
                style={{ ...hueStyle(index), '--share': Math.max(1, totalMinutes) }}
              />
            ))}
          </div>
          <table className={`${css.chart} num`}>
            <caption className="visually-hidden">Hours per category</caption>
            <tbody>
              {categories.map((category, index) => (
                <Row key={category.categoryName} category={category} index={index} maxMinutes={maxMinutes} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  );
}

function Row({ category, index, maxMinutes }: { category: Category; index: number; maxMinutes: number }) {
  const { categoryName, totalTime, totalMinutes, completedCount } = category;
  const name = categoryName || 'Unknown';
  const Drawing = DRAWINGS[categoryIcon(name)];
  return (
    <tr data-hue="palette" style={hueStyle(index)}>
      <th scope="row">
        <span className={css.name}>
          <Drawing />
          {name}
        </span>
      </th>
      <td>{totalTime}</td>
      <td>{plural(completedCount, 'date')}</td>
      <td>
        <ProgressBar strip label={`${name}: ${totalTime}`} value={totalMinutes} max={maxMinutes} />
      </td>
    </tr>
  );
}

function hueStyle(index: number): CSSProperties {
  return { '--h': paletteHue(index) };
}
