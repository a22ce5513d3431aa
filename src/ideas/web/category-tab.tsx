import { Marked } from '../../kit/web/marked.tsx';
import { categoryName } from '../categories.ts';
import { CategoryIcon } from './category.tsx';

/** The tab of an index card: the category's icon and name. */
export function CategoryTab({ category }: { category: string }) {
  return (
    <>
      <CategoryIcon category={category} />
      <Marked>{categoryName(category)}</Marked>
    </>
  );
}
