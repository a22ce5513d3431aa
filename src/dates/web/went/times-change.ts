import { formatInstant } from '../../../base/time.ts';
import { clock } from '../../../base/web/device/now.ts';
import { asApiError } from '../../../base/web/net/api-error.ts';
import type { CompletedWent, WentTimes } from './completed-went.ts';

/**
 * A change of the times of a date that 'We went!' completed: the date is taken back at once, since the server allows that
 * for a minute only, and completed again with the new times or as it was.
 */
export class TimesChange {
  readonly #went: CompletedWent;
  #undone: Promise<boolean>;

  constructor(went: CompletedWent) {
    this.#went = went;
    this.#undone = went.undo(true);
    // `save` repeats it and says so.
    this.#undone.catch(() => undefined);
  }

  /**
   * Completes the date with these times.
   * @returns whether 'We went!' had completed it. If not, that is shown already.
   * @throws ApiError the server refuses or can't be reached
   */
  async save(times: WentTimes): Promise<boolean> {
    try {
      this.#undone = this.#undone.catch(() => this.#went.undo(true));
      if (!(await this.#undone)) return false;
    } catch (refusal) {
      if (asApiError(refusal).status !== 409) throw refusal;
      // It may have been taken back although the answer was lost. Then it can be completed.
      await this.#went.complete(times).catch(() => {
        throw refusal;
      });
      return true;
    }
    await this.#went.complete(times);
    return true;
  }

  /**
   * Completes the date as it was.
   * @throws ApiError it may not be completed now
   */
  async cancel(): Promise<void> {
    // If the answer was lost, it may have been taken back too.
    if (!(await this.#undone.catch(() => true))) return;
    const { actualStartTime, actualEndTime } = this.#went.date;
    const end = actualEndTime ?? formatInstant(clock());
    try {
      await this.#went.complete({ actualStartTime: actualStartTime ?? '', actualEndTime: end });
    } catch (error) {
      // It is completed, or the partner did something else with it.
      if (asApiError(error).status !== 409) throw error;
    }
  }
}
