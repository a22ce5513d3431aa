import type { Catalog, Column, ForeignKey, Table } from './database-catalog.ts';

/** Returns in sentences what a node that knows only `before` can't live with in `after`, as far as the catalog shows it. */
export function findBreaks(before: Catalog, after: Catalog): string[] {
  const breaks: string[] = [];
  for (const [name, table] of before) {
    const now = after.get(name);
    if (!now) breaks.push(`The table ${name} is gone.`);
    else breaks.push(...lostColumns(name, table, now), ...demands(name, table, now));
  }
  for (const [name, { foreignKeys }] of after) {
    const isNew = ({ columns, to }: ForeignKey) =>
      before.has(to) && !before.get(name)?.foreignKeys.some((old) => old.columns === columns && old.to === to);
    for (const { columns, to, onDelete } of foreignKeys.filter(isNew)) {
      if (onDelete === 'no action') breaks.push(`${name} (${columns}) keeps older nodes from deleting rows of ${to}.`);
    }
  }
  return breaks;
}

function lostColumns(name: string, table: Table, now: Table): string[] {
  const breaks: string[] = [];
  for (const [column, old] of table.columns) {
    const current = now.columns.get(column);
    if (!current) breaks.push(`The column ${name}.${column} is gone.`);
    else if (current.type !== old.type) breaks.push(`The column ${name}.${column} has another type.`);
    else if (isRequired(current) && !isRequired(old)) breaks.push(`The column ${name}.${column} is required.`);
    else if (old.isNullable && !current.isNullable) breaks.push(`The column ${name}.${column} may no longer be null.`);
  }
  for (const index of table.unique) {
    if (!now.unique.has(index)) breaks.push(`The unique index of ${name} (${index}) is gone.`);
  }
  return breaks;
}

/** What the table requires now of the rows of nodes that know only its old columns. */
function demands(name: string, table: Table, now: Table): string[] {
  const breaks: string[] = [];
  const added = new Map([...now.columns].filter(([column]) => !table.columns.has(column)));
  for (const [column, current] of added) {
    if (isRequired(current)) breaks.push(`The new column ${name}.${column} is required.`);
  }
  const isLeftNull = (column: string) => added.get(column)?.isNullable === true && !added.get(column)?.hasDefault;
  const isIgnored = (columns: string) =>
    columns
      .replace(/ where$/, '')
      .split(', ')
      .some(isLeftNull);
  for (const index of now.unique) {
    if (!table.unique.has(index) && !isIgnored(index)) breaks.push(`${name} (${index}) must be unique.`);
  }
  for (const { columns, to } of now.foreignKeys) {
    const isOld = table.foreignKeys.some((old) => old.columns === columns && old.to === to);
    if (!isOld && !isIgnored(columns)) breaks.push(`${name} (${columns}) must refer to a row of ${to}.`);
  }
  return breaks;
}

function isRequired({ isNullable, hasDefault }: Column): boolean {
  return !isNullable && !hasDefault;
}
