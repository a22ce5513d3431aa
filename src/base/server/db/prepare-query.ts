import type { Compilable, CompiledQuery, QueryExecutor } from 'kysely';
import type { Reader } from './db.ts';

/** A placeholder for a value that is known only when the query runs. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Compiles a query once per engine and then only runs it: for a short list, compiling costs more than running.
 * @param build creates the query; `value('coupleId')` is a placeholder for the value passed at run time
 */
export function prepareQuery<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (reader: Reader, value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<Row[]> {
  // A transaction shares its database's adapter, and so the compiled query.
  const compiled = new WeakMap<QueryExecutor['adapter'], CompiledQuery<Row>>();
  return async (reader, values) => {
    const { adapter } = reader.getExecutor();
    let query = compiled.get(adapter);
    if (!query) {
      query = build(reader, (name) => new Placeholder(name) as never).compile();
      compiled.set(adapter, query);
    }
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value));
    return (await reader.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
