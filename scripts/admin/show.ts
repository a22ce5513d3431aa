import { type AdminCommand, coupleNamed } from './admin-command.ts';
import { printDetails, readDetails } from './couple-details.ts';

/** Shows one couple with its partners. */
export const show: AdminCommand = {
  usage: 'show EMAIL|ID',
  arguments: 1,
  options: [],
  run: async (stores, input) => printDetails(await readDetails(stores, await coupleNamed(stores, input)), input.json),
};
