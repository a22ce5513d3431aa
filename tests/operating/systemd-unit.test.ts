import { describe, expect, it } from 'vitest';
import { operatingText, substitute } from '../support/operating/operating-texts.ts';
import { analyze, hasSystemd } from '../support/operating/systemd.ts';

/**
 * The most exposure that `systemd-analyze security` may find, from 0 to 10. Before the restrictions it was 8.5. It counts
 * 0.1 for `setpriority`, although without capabilities the app can only lower a priority.
 */
const MOST_EXPOSURE = 1.2;

const unit = operatingText('ini', 'ExecStart=');

describe.skipIf(!hasSystemd() && !process.env.CI)('the systemd unit of docs/operating.md', () => {
  it('is valid', { tags: ['running.proxies.3'] }, () => {
    expect(analyze(['verify'], substitute(unit, { '/usr/bin/npm': process.execPath }))).toEqual({
      code: 0,
      output: '',
    });
  });

  it('gives the app hardly any access to the system', { tags: ['running.proxies.3'] }, () => {
    const { output } = analyze(['security', '--offline=true'], unit);
    const exposure = Number(/Overall exposure level .*: ([\d.]+)/.exec(output)?.[1]);
    expect(exposure, output).toBeLessThanOrEqual(MOST_EXPOSURE);
  });
});
