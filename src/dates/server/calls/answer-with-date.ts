import { notFound } from '../../../base/refusal.ts';
import { type Answer, tagged } from '../../../base/server/calls/answer.ts';
import type { Reader } from '../../../base/server/db/db.ts';
import type { Viewer } from '../../../base/server/visibility.ts';
import type { PlannedDate } from '../../contract.ts';
import { readDate } from '../views.ts';
import type { DateDeps } from './date-deps.ts';

/** Answers with one date as the partner may see it. @throws Refusal 404 if there is none */
export async function answerWithDate(
  reader: Reader,
  { photos }: Pick<DateDeps, 'photos'>,
  viewer: Viewer,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<Answer<PlannedDate>> {
  const found = await readDate(reader, photos, viewer, { id, now });
  if (!found) throw notFound('Planned date');
  return tagged(found.date, found.etag);
}
