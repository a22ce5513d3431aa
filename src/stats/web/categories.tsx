import {
  Bike,
  Coffee,
  Compass,
  Drama,
  Film,
  Heart,
  House,
  type LucideIcon,
  Plane,
  Rose,
  TreeDeciduous,
  Trophy,
  Utensils,
} from 'lucide-react';
import type { CSSProperties } from 'react';
import { plural } from '../../base/text.ts';
import { ProgressBar } from '../../kit/web/feedback/progress-bar.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { categoryIcon, paletteHue } from '../rules.ts';
import css from './chart.module.css';
import type { StatsScreen } from './queries.ts';

/** A category's drawing by its icon's name (spec 9). */
const DRAWINGS: Readonly<Record<ReturnType<typeof categoryIcon>, LucideIcon>> = {
  outdoor: TreeDeciduous,
  indoor: House,
  romantic: Rose,
  adventure: Compass,
  food: Utensils,
  entertainment: Film,
  relaxing: Coffee,
  cultural: Drama,
  sports: Trophy,
  travel: Plane,
  active: Bike,
  heart: Heart,
};

type Category = StatsScreen['categories'][number];

/** 'Date Categories': the hours of each, as one strip and as a legend that says it in words (spec 2, Statistics). */
export function Categories({ categories }: Pick<StatsScreen, 'categories'>) {
  const most = Math.max(1, ...categories.map(({ totalMinutes }) => totalMinutes));
  return (
    <Section title="Date Categories">
      {categories.length === 0 ? (
        <p className="felt">No date categories yet!</p>
      ) : (
        <>
          <div className={css.whole} aria-hidden="true">
            {categories.map(({ categoryName, totalMinutes }, index) => (
              <i
                key={categoryName}
                data-hue="palette"
                style={{ ...colour(index), '--share': Math.max(1, totalMinutes) }}
              />
            ))}
          </div>
          <table className={`${css.chart} num`}>
            <caption className="visually-hidden">Hours per category</caption>
            <tbody>
              {categories.map((category, index) => (
                <Row key={category.categoryName} category={category} index={index} most={most} />
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  );
}

function Row({ category, index, most }: { category: Category; index: number; most: number }) {
  const { categoryName, totalTime, totalMinutes, completedCount } = category;
  const name = categoryName || 'Unknown';
  const Drawing = DRAWINGS[categoryIcon(name)];
  return (
    <tr data-hue="palette" style={colour(index)}>
      <th scope="row">
        <span className={css.name}>
          <Drawing />
          {name}
        </span>
      </th>
      <td>{totalTime}</td>
      <td>{plural(completedCount, 'date')}</td>
      <td>
        <ProgressBar strip label={`${name}: ${totalTime}`} value={totalMinutes} max={most} />
      </td>
    </tr>
  );
}

function colour(index: number): CSSProperties {
  return { '--h': paletteHue(index), '--c': 1 };
}
