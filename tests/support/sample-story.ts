import { DAY } from '../../src/base/durations.ts';
import type { PlannedDate } from '../../src/dates/contract.ts';
import { eachOptionalText } from '../../src/dates/optional-texts.ts';
import { addPhoto, completeDate, planDate } from './factories.ts';
import type { Partner } from './partner.ts';

/**
 * Creates data that is hard to preserve: emoji, line breaks of every kind, quotes, hearts of both and of one, a surprise, a
 * memory in the trash. Returns the id of a date.
 */
export async function createSampleStory(ada: Partner, ben: Partner): Promise<string> {
  await ada.call('PUT /api/couple', { body: { togetherSince: '2019-06-01', timeZone: 'Europe/Rome' } });
  const done = await completeDate(ada, {
    idea: { title: 'Sternschnuppen & ☕', description: 'line one\nline two\u2028line three\u2029line four' },
    at: Date.now() - DAY,
    minutes: 95,
    ...eachOptionalText((name) => `${name}, "quoted"\n=1+1`),
    notes: 'we laughed, "a lot"',
  });
  const planned = await planDate(ben, { idea: { title: '👩‍❤️‍👨', category: 'Food' }, location: 'the café' });
  await planDate(ben, { idea: { title: 'Kept quiet' }, location: 'behind the mill', notes: 'not yet', surprise: true });
  const heart = (who: Partner, { dateIdea: { id } }: PlannedDate) =>
    who.call('PUT /api/DateIdeas/{id}/heart', { params: { id: id as string } });
  await heart(ada, done);
  await heart(ben, done);
  await heart(ben, planned);
  await addPhoto(ada, done.id, 1, 'you, asleep');
  await addPhoto(ben, done.id, 2);
  const gone = await addPhoto(ben, done.id, 3, 'in the trash');
  await ben.call('DELETE /api/Memories/{id}', { params: { id: gone.id } });
  const note = (who: Partner, text: string, hearts: number | null) =>
    who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id: done.id }, body: { text, hearts } });
  await note(ada, 'One wish each, "more or less".\nI know yours. 🌠', 5);
  await note(ben, '=You don’t.', null);
  return done.id;
}
