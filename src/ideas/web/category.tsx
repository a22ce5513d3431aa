import {
  Bike,
  Coffee,
  Compass,
  Drama,
  Heart,
  House,
  type LucideIcon,
  Rose,
  TreeDeciduous,
  Utensils,
} from 'lucide-react';
import { CategoryLabel } from '../../kit/web/album/category-label.tsx';
import { type CategoryValue, categoryName } from '../rules.ts';

const DRAWINGS: Readonly<Record<CategoryValue, LucideIcon>> = {
  Romantic: Rose,
  Outdoor: TreeDeciduous,
  Indoor: House,
  Adventure: Compass,
  Food: Utensils,
  Cultural: Drama,
  Relaxing: Coffee,
  Active: Bike,
};

/** A category's drawing (contract 5, How controls are built); a heart for one that is none of the eight. */
export function CategoryIcon({ category }: { category: string }) {
  const Drawing = DRAWINGS[category as CategoryValue] ?? Heart;
  return <Drawing />;
}

/** A category's drawing beside its name, in the ink of its hue. */
export function Category({ category }: { category: string }) {
  return (
    <CategoryLabel hue={category} icon={<CategoryIcon category={category} />}>
      {categoryName(category)}
    </CategoryLabel>
  );
}
