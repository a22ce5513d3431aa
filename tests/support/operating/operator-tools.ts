import { existsSync } from 'node:fs';

/** Whether Prometheus' checker and restic are installed, which check the files and commands for operators. */
export function hasOperatorTools(): boolean {
  return existsSync('/usr/bin/promtool') && existsSync('/usr/bin/restic');
}
