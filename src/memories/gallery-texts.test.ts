import { describe, expect, it } from 'vitest';
import { dateLabel, dateName, emptyText, foundText, verbWithCaption } from './gallery-texts.ts';

const arezzo = { id: 'arezzo', plannedDateTime: '2026-10-17T08:50:00.000Z', dateIdea: { title: 'Two days in Arezzo' } };

describe('names', () => {
  it('labels a date with its idea and its day', { tags: ['memories.gallery.4'] }, () => {
    expect(dateLabel(arezzo, 'Europe/Rome')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, dateIdea: null }, 'Europe/Rome')).toBe('Date - Oct 17, 2026');
    expect(dateLabel({ ...arezzo, plannedDateTime: null }, 'Europe/Rome')).toBe('Two days in Arezzo - Unknown');
    expect(dateName([arezzo], 'arezzo', 'UTC')).toBe('Two days in Arezzo - Oct 17, 2026');
    expect(dateName([arezzo], 'beach', 'UTC')).toBe('Unknown Date');
  });

  it('counts the memories that were found', { tags: ['memories.gallery.8', 'memories.gallery.11'] }, () => {
    expect(foundText(1, null)).toBe('1 memory found');
    expect(foundText(147, 'Two days in Arezzo - Oct 17, 2026')).toBe(
      '147 memories found for Two days in Arezzo - Oct 17, 2026',
    );
    expect(emptyText(true)).toBe('No memories found for this date. Start capturing beautiful moments!');
    expect(emptyText(false)).toBe('No memories yet! Upload our first photo to start building our gallery.');
  });

  it('names a button after the caption', () => {
    expect([verbWithCaption('View', null), verbWithCaption('Delete', 'Rain')]).toEqual(['View', 'Delete: Rain']);
  });
});
