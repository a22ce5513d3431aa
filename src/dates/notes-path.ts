import { paths } from '../paths.ts';

/** The id of the section of the date's page in which the partners write what they want to remember. */
export const NOTES_ID = 'remember';

/** The path of that section. */
export function notesPath(dateId: string): string {
  return `${paths.date(dateId)}#${NOTES_ID}`;
}
