import { expect, it } from 'vitest';
import { ideaOfShare } from './shared-idea.ts';

const url = 'https://example.org/thai';

it.each([
  [
    { title: 'A Thai place', text: url, url: '' },
    { title: 'A Thai place', description: url },
  ],
  [
    { title: 'A Thai place', text: '', url },
    { title: 'A Thai place', description: url },
  ],
  [
    { title: 'A Thai place', text: `Look: ${url}`, url },
    { title: 'A Thai place', description: `Look: ${url}` },
  ],
  [
    { title: '', text: `Try this\n\n${url}`, url: '' },
    { title: 'Try this', description: url },
  ],
  [
    { title: ' ', text: url, url: '' },
    { title: 'example.org', description: url },
  ],
  [
    { title: '', text: '', url },
    { title: 'example.org', description: url },
  ],
  [
    { title: 'Same', text: 'Same', url: '' },
    { title: 'Same', description: '' },
  ],
  [
    { title: 'Bad\u0000', text: 'Good', url: '' },
    { title: 'Good', description: '' },
  ],
  [
    { title: '', text: '', url: '' },
    { title: '', description: '' },
  ],
])('%j becomes the idea %j', { tags: ['ideas.form.16'] }, (shared, idea) => {
  expect(ideaOfShare(shared)).toEqual(idea);
});
