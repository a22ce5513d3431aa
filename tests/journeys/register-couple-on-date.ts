import { HOUR } from '../../src/base/durations.ts';
import { startDate } from '../support/factories.ts';
import { registerCouple } from '../support/register-couple.ts';
import type { TestApp } from '../support/test-app.ts';

/** Registers a couple that is on a date, with the path of its date mode. */
export async function registerCoupleOnDate(app: TestApp) {
  const couple = await registerCouple(app);
  const date = await startDate(couple.ada, { idea: { title: 'Lantern walk' }, at: Date.now() - HOUR });
  return { ...couple, date, path: `/planned-dates/${date.id}/now` };
}
