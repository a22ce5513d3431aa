import { expect, it } from 'vitest';
import { deleteQuestion } from './question-texts.ts';

it('the delete question has one more sentence on the details page', { tags: ['dates.details.6'] }, () => {
  expect(deleteQuestion('list')).toBe('Are you sure you want to permanently delete this planned date?');
  expect(deleteQuestion('details')).toBe(
    'Are you sure you want to permanently delete this planned date? This action cannot be undone.',
  );
});
