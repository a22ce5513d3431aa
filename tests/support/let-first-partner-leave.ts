import { DAY } from '../../src/base/durations.ts';
import { completeDate } from './factories.ts';
import type { Partner } from './partner.ts';
import { joinAsBen } from './register-couple.ts';

/** Lets a first partner write about a date, open both notes with Ada's, and leave. */
export async function letFirstPartnerLeave(app: { readonly url: string }, ada: Partner): Promise<void> {
  const cleo = await joinAsBen(app, ada, 'cleo@example.org');
  const { id } = await completeDate(ada, { idea: { title: 'A farewell' }, at: Date.now() - 60 * DAY, minutes: 90 });
  for (const who of [ada, cleo]) {
    await who.call('PUT /api/PlannedDates/{id}/notes/mine', { params: { id }, body: { text: 'Goodbye.', hearts: 3 } });
  }
  const { status } = await cleo.call('POST /api/auth/leave', { body: { currentPassword: cleo.password } });
  if (status !== 204) throw new Error(`The first partner could not leave: ${status}`);
}
