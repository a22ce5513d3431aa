import { formatSize } from '../../src/base/number-texts.ts';
import { parseSize } from '../../src/base/parse-size.ts';
import { setQuota } from '../../src/memories/server/quota/quota.ts';
import { CommandError, printLine } from '../lib/command.ts';
import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDetails, readDetails } from './couple-details.ts';

/** Sets how much one couple may keep: a size, `none` for no limit, or `default` for `QUOTA`. */
export const quota: AdminCommand = {
  usage: 'quota EMAIL|ID 50GB|none|default',
  arguments: 2,
  options: [],
  run: async (stores, input) => {
    const { id } = await coupleNamed(stores, input);
    const own = ownQuota(input.arguments[1] ?? '');
    await stores.db.write((tx) => setQuota(tx, id, own));
    const details = await readDetails(stores, await coupleNamed(stores, input));
    if (input.json) return printDetails(details, true);
    const { quota: limit, bytes } = details;
    const allowed = limit === null ? ', without a limit' : ` of ${formatSize(limit)}`;
    printLine(`The couple keeps ${formatSize(bytes)}${allowed}.`);
  },
};

function ownQuota(text: string): number | 'none' | 'default' {
  if (text === 'none' || text === 'default') return text;
  const bytes = parseSize(text);
  if (bytes === null) throw new CommandError(`${text} is not a size such as 50GB, and neither none nor default.`);
  return bytes;
}
