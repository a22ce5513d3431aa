import { existsSync } from 'node:fs';

/** Whether promtool is installed, which tests the alert rules. */
export function hasPromtool(): boolean {
  return existsSync('/usr/bin/promtool');
}

/** Whether restic is installed, which copies backups. */
export function hasRestic(): boolean {
  return existsSync('/usr/bin/restic');
}
