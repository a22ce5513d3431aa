import { findCitations, findTags, type Mention, readClauses } from './lib/clauses.ts';
import { CommandError, printLine, runCommand } from './lib/command.ts';
import { root } from './lib/root.ts';

/** `npm run clauses -- dates.plan`: prints the clauses whose names begin so, the files that cite them, and their tests. */
await runCommand(async () => {
  const [prefix = ''] = process.argv.slice(2);
  const clauses = readClauses(root);
  const chosen = clauses.filter(({ name }) => name === prefix || prefix === '' || name.startsWith(`${prefix}.`));
  if (chosen.length === 0) throw new CommandError(`No clause of docs/product begins with '${prefix}'.`);
  const pages = new Set(clauses.map(({ name }) => name.split('.')[0] ?? ''));
  const mentions = Map.groupBy([...findCitations(root, pages), ...findTags(root)], ({ clause }) => clause);
  for (const { name, text } of chosen) {
    printLine(`${name}  ${text}`);
    for (const mention of mentions.get(name) ?? []) printLine(`  ${describe(mention)}`);
  }
});

function describe({ path, line, title }: Mention): string {
  return title === undefined ? `${path}:${line}` : `${path}:${line}  ${title}`;
}
