import { cleanText } from '../base/clean-text.ts';
import { type FormErrors, formErrors } from '../base/form-errors.ts';
import { formatInstant } from '../base/instants.ts';
import { fromLocalInput, toLocalInput } from '../base/local-input.ts';
import type { PlannedDate } from '../dates/contract.ts';
import { isAllowed } from '../dates/rules.ts';
import { captionFault } from './caption.ts';
import { isCaptureTime } from './capture-time.ts';
import type { Memory } from './contract.ts';

/** The message for a time at which no photograph can have been taken, for server and page. */
export const TAKEN_OUT_OF_RANGE = 'Taken must be from 1826 to tomorrow';

/** The values of 'Edit Memory'. The time is a `datetime-local` value in the device's zone. */
export interface MemoryForm {
  readonly caption: string;
  readonly plannedDateId: string;
  /** '' for the photograph's own time. */
  readonly takenAt: string;
}

type Editable = Pick<Memory, 'caption' | 'plannedDateId' | 'takenAt'>;

/** The initial values of the form. */
export function memoryFormOf({ caption, plannedDateId, takenAt }: Editable, zone: string): MemoryForm {
  return {
    caption: caption ?? '',
    plannedDateId,
    takenAt: takenAt === null ? '' : toLocalInput(Date.parse(takenAt), zone),
  };
}

/** Validates the form. */
export function memoryErrors(form: MemoryForm, memory: Editable, now: number, zone: string): FormErrors<MemoryForm> {
  const taken = fromLocalInput(form.takenAt, zone);
  const isUnchanged = form.takenAt === '' || form.takenAt === memoryFormOf(memory, zone).takenAt;
  return formErrors<MemoryForm>({
    caption: captionFault(form.caption),
    takenAt: isUnchanged || (taken !== null && isCaptureTime(taken, now)) ? undefined : TAKEN_OUT_OF_RANGE,
  });
}

/** The request body: only what is changed. An emptied time goes back to the photograph's own. */
export function memoryBody(form: MemoryForm, memory: Editable, zone: string) {
  const before = memoryFormOf(memory, zone);
  const caption = cleanText(form.caption);
  const taken = fromLocalInput(form.takenAt, zone);
  return {
    ...(caption === before.caption ? {} : { caption: caption === '' ? null : caption }),
    ...(form.plannedDateId === before.plannedDateId ? {} : { plannedDateId: form.plannedDateId }),
    ...(form.takenAt === before.takenAt ? {} : { takenAt: taken === null ? null : formatInstant(taken) }),
  };
}

/** The dates to which a memory can be moved, latest first, and its own: no canceled one, and no surprise that is sealed. */
export function datesToMoveTo<D extends Pick<PlannedDate, 'id' | 'status' | 'plannedDateTime' | 'surprise'>>(
  dates: readonly D[],
  ownId: string,
): D[] {
  const isOpen = ({ status, surprise }: D) =>
    isAllowed(status, 'addMemories') && (surprise === null || surprise.revealed);
  return dates
    .filter((date) => date.id === ownId || isOpen(date))
    .sort((a, b) => (a.plannedDateTime < b.plannedDateTime ? 1 : -1));
}
