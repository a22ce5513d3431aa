import { codeOf } from '../../src/base/server/db/faults.ts';

/** Sends a signal to the processes that still exist. */
export function sendSignal(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    // A program that did not start has the number -1, which would mean every process.
    if (pid <= 0) continue;
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Returns whether a process exists, also if it belongs to another user. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
