/** A table that a part of a statement reads or changes. */
export interface TableUse {
  readonly table: string;
  /** The columns that this part compares with `=` or `in`, or inserts. */
  readonly columns: ReadonlySet<string>;
  /** The part of the statement, for messages. */
  readonly text: string;
}

/**
 * Finds the tables that a statement uses, each with the columns by which its rows are found. It reads what the query
 * builder writes: quoted names, and a subquery's own conditions inside its parentheses. Queries named by `with` are no tables.
 */
export function tableUses(statement: string): TableUse[] {
  const text = statement.replaceAll(/\s+/g, ' ');
  const named = new Set(
    [...text.matchAll(/(?:with|,) "(\w+)"(?: \([^)]*\))? as (?:(?:not )?materialized )?\(/gi)].map(([, name]) => name),
  );
  return scopesOf(text)
    .flatMap((scope) => scope.split(/ union (?:all )?/i))
    .flatMap(usesIn)
    .filter(({ table }) => !named.has(table));
}

/** The statement without its subqueries, and each subquery without its own. */
function scopesOf(statement: string): string[] {
  const scopes: string[] = [];
  const open: { text: string; isQuery: boolean }[] = [{ text: '', isQuery: true }];
  const isSubquery = /^\((select|with|insert|update|delete) /i;
  for (let at = 0; at < statement.length; at += 1) {
    const character = statement[at] as string;
    const top = open.at(-1) as (typeof open)[number];
    if (character === '(') open.push({ text: '', isQuery: isSubquery.test(statement.slice(at, at + 8)) });
    else if (character === ')' && open.length > 1) {
      open.pop();
      const outer = open.at(-1) as (typeof open)[number];
      if (top.isQuery) {
        scopes.push(top.text);
        outer.text += '(subquery)';
      } else outer.text += `(${top.text})`;
    } else top.text += character;
  }
  return [...scopes, ...open.map(({ text }) => text)];
}

function usesIn(scope: string): TableUse[] {
  const insert = /^ ?insert into "(\w+)" \(([^)]*)\)/i.exec(scope);
  if (insert) {
    const [, table = '', columns = ''] = insert;
    return [{ table, columns: new Set(columns.match(/\w+/g)), text: scope }];
  }
  const found = [...scope.matchAll(/\b(?:from|join|update) "(\w+)"(?: as "(\w+)")?/gi)];
  return found.map(([, table = '', alias = table]) => {
    const own = found.length === 1 ? `(?:"${alias}"\\.)?` : `"${alias}"\\.`;
    const compared = new RegExp(`(?<!\\.)${own}"(\\w+)" (?:=|in) |= ${own}"(\\w+)"(?!\\.)`, 'gi');
    const conditions = scope.slice(found[0]?.index ?? 0).replace(/ set .*? where /i, ' where ');
    const columns = [...conditions.matchAll(compared)].map(([, left, right]) => left ?? right ?? '');
    return { table, columns: new Set(columns), text: scope };
  });
}
