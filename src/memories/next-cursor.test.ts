import { expect, it } from 'vitest';
import { nextCursor } from './next-cursor.ts';

it('the cursor of the next page is in the Link header, except on the last page', () => {
  expect(nextCursor('</api/Memories?count=30&cursor=a%3Db&sort=size>; rel="next"')).toBe('a=b');
  expect(nextCursor('</api/Memories?count=30>; rel="prev"')).toBeNull();
  expect(nextCursor(null)).toBeNull();
});
