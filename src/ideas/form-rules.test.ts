import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ideaCalls } from './contract.ts';
import type { IdeaForm } from './form-rules.ts';
import { addIdeaErrors, EMPTY_IDEA, editIdeaErrors, ideaBody, ideaFormOf } from './form-rules.ts';

const form = (fields: Partial<IdeaForm>): IdeaForm => ({ ...EMPTY_IDEA, title: 'Stargazing', ...fields });

describe('the add form', { tags: ['ideas.form.2'] }, () => {
  it('opens as Romantic and active', { tags: ['ideas.form.1'] }, () => {
    expect(EMPTY_IDEA).toEqual({ title: '', description: '', category: 'Romantic', isActive: true });
  });

  it.each([
    ['a blank title', { title: ' \n ' }, { title: 'Title is required' }],
    ['two characters', { title: ' ab ' }, { title: 'Title must be at least 3 characters' }],
    ['three characters', { title: 'abc' }, {}],
    ['two hundred', { title: 'a'.repeat(200) }, {}],
    ['two hundred and one', { title: 'a'.repeat(201) }, { title: 'Title cannot exceed 200 characters' }],
    ['two hundred hearts', { title: '💕'.repeat(200) }, {}],
    ['a thousand of description', { description: 'd'.repeat(1000) }, {}],
    ['one too many', { description: 'd'.repeat(1001) }, { description: 'Description cannot exceed 1000 characters' }],
    ['no category', { category: '' }, { category: 'Category is required' }],
    ['a NUL', { title: 'a\0bc' }, { title: 'Title contains a character we can’t save' }],
    [
      'everything at once',
      { title: '', description: 'd'.repeat(1001), category: '' },
      {
        title: 'Title is required',
        description: 'Description cannot exceed 1000 characters',
        category: 'Category is required',
      },
    ],
  ])('%s', (_, fields, errors) => expect(addIdeaErrors(form(fields))).toEqual(errors));
});

describe('the edit form, with its own messages', { tags: ['ideas.form.2'] }, () => {
  it.each([
    ['a blank title', { title: '' }, { title: 'Title is required' }],
    ['one character may stay', { title: 'a' }, {}],
    ['a title too long', { title: 'a'.repeat(201) }, { title: 'Title must be 200 characters or less' }],
    [
      'a description too long',
      { description: 'd'.repeat(1001) },
      { description: 'Description must be 1000 characters or less' },
    ],
    ['no category', { category: '' }, { category: 'Please select a category' }],
  ])('%s', (_, fields, errors) => expect(editIdeaErrors(form(fields))).toEqual(errors));
});

describe('what is sent', () => {
  it('is trimmed and omits an empty description', () => {
    expect(ideaBody(form({ title: '  Picnic ', description: ' \n', isActive: false }))).toEqual({
      title: 'Picnic',
      category: 'Romantic',
      isActive: false,
    });
    expect(ideaBody(form({ description: ' by the lake ' })).description).toBe('by the lake');
  });

  it('an idea passes through its form unchanged', () => {
    const idea = { title: 'Picnic', description: null, category: 'Outdoor', isActive: false } as const;
    expect(ideaBody(ideaFormOf(idea))).toEqual({ title: 'Picnic', category: 'Outdoor', isActive: false });
  });
});

it('page and server validate every title and description alike', { tags: ['wire.values.7', 'ideas.form.3'] }, () => {
  const body = ideaCalls['PUT /api/DateIdeas/{id}'].body;
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.nat(1100).map((length) => '👩‍🍳e\u0301 '.repeat(length / 5)),
  );
  fc.assert(
    fc.property(texts, texts, (title, description) => {
      const typed = form({ title, description });
      expect(body.safeParse(ideaBody(typed)).success).toBe(Object.keys(editIdeaErrors(typed)).length === 0);
    }),
  );
});
