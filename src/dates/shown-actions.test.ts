import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY } from '../base/durations.ts';
import type { PlannedDate } from './contract.ts';
import { displayStatus } from './display-status.ts';
import type { DateStatus } from './rules.ts';
import { isAllowed, STATUSES } from './rules.ts';
import { type ActionScreen, actionsOf } from './shown-actions.ts';

const NOW = Date.parse('2026-11-21T20:00:00Z');
const date = (status: DateStatus, plannedDateTime: string) => ({ status, plannedDateTime, surprise: null });

describe('actions by display status', { tags: ['dates.list.9', 'dates.details.6', 'dates.went.6'] }, () => {
  const cases = [
    ['upcoming', date('Planned', '2026-11-25T20:00:00Z'), 'start edit cancel delete', 'start edit cancel delete'],
    ['today', date('Planned', '2026-11-21T23:00:00Z'), 'start edit delete', 'start edit cancel delete'],
    ['overdue', date('Planned', '2026-11-01T20:00:00Z'), 'went start delete', 'went start cancel delete'],
    ['in-progress', date('InProgress', '2026-11-21T19:00:00Z'), 'complete delete', 'complete addMemories delete'],
    ['completed', date('Completed', '2026-11-01T20:00:00Z'), 'addMemories delete', 'addMemories delete'],
    ['cancelled', date('Cancelled', '2026-11-25T20:00:00Z'), 'delete', 'delete'],
  ] as const;
  it.each(cases)('%s', (display, given, list, details) => {
    expect(displayStatus(given, NOW, 'UTC')).toBe(display);
    expect(actionsOf(given, 'list', NOW, 'UTC').join(' ')).toBe(list);
    expect(actionsOf(given, 'details', NOW, 'UTC').join(' ')).toBe(details);
  });

  it('never offers what the server would refuse', { tags: ['dates.list.9'] }, () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...STATUSES.map(({ value }) => value)),
        fc.integer({ min: -400, max: 400 }),
        fc.constantFrom('list', 'details'),
        (status, days, screen) => {
          const planned = new Date(NOW + days * DAY).toISOString();
          for (const action of actionsOf(date(status, planned), screen, NOW, 'UTC')) {
            expect(isAllowed(status, action)).toBe(true);
          }
        },
      ),
    );
  });

  it('are none for the partner of a surprise’s planner, and all for its planner', {
    tags: ['dates.surprises.7'],
  }, () => {
    const planned = date('Planned', '2026-11-25T19:00:00.000Z');
    const actions = (surprise: PlannedDate['surprise'], screen: ActionScreen) =>
      actionsOf({ ...planned, surprise }, screen, NOW, 'UTC');
    for (const screen of ['list', 'details'] as const) {
      expect(actions({ mine: false, revealed: false }, screen)).toEqual([]);
      expect(actions({ mine: true, revealed: false }, screen)).toEqual(actions(null, screen));
      expect(actions({ mine: false, revealed: true }, screen)).toEqual(['start', 'edit', 'cancel', 'delete']);
    }
  });
});
