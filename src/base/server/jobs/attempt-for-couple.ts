import type { CoupleId } from '../../ids.ts';
import type { Deps } from '../deps.ts';

/**
 * Does the part of a background job that belongs to one couple. A failure is logged and holds up no other part; the next
 * run of the job tries it again.
 * @param undone what a failure leaves undone, for the log
 */
export async function attemptForCouple(
  { log }: { readonly log: Pick<Deps['log'], 'error'> },
  coupleId: CoupleId,
  undone: string,
  work: () => Promise<unknown>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error({ err: error, couple: coupleId }, undone);
  }
}
