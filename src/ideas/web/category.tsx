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
import { type CategoryValue, categoryName } from '../categories.ts';

/** The icon of each category (ideas.list.3). */
export const CATEGORY_ICONS: Readonly<Record<CategoryValue, LucideIcon>> = {
  Romantic: Rose,
  Outdoor: TreeDeciduous,
  Indoor: House,
  Adventure: Compass,
  Food: Utensils,
  Cultural: Drama,
  Relaxing: Coffee,
  Active: Bike,
};

/** The icon of a category, or a heart if it is unknown. */
export function CategoryIcon({ category }: { category: string }) {
  const Icon = CATEGORY_ICONS[category as CategoryValue] ?? Heart;
  return <Icon />;
}

/** A category's icon and name, in the color of its hue. */
export function Category({ category }: { category: string }) {
  return (
    <CategoryLabel hue={category} icon={<CategoryIcon category={category} />}>
      {categoryName(category)}
    </CategoryLabel>
  );
}
