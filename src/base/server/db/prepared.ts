import type { Compilable, CompiledQuery, QueryExecutor } from 'kysely';
import type { Reader } from './db.ts';

/** Stands in a query for a value that is known only when the query runs. */
class StandIn {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query put together once for each engine, and then only run: for a short list, putting it together costs more than
 * running it.
 * @param build makes the query; `value('coupleId')` stands for the value that is handed over when it runs
 */
export function prepared<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (reader: Reader, value: <Name extends keyof Values & string>(name: Name) => Values[Name]) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<Row[]> {
  // A transaction has the adapter of its database, and so the same text.
  const texts = new WeakMap<QueryExecutor['adapter'], CompiledQuery<Row>>();
  return async (reader, values) => {
    const { adapter } = reader.getExecutor();
    let text = texts.get(adapter);
    if (!text) {
      text = build(reader, (name) => new StandIn(name) as never).compile();
      texts.set(adapter, text);
    }
    const parameters = text.parameters.map((value) => (value instanceof StandIn ? values[value.name] : value));
    return (await reader.executeQuery<Row>({ ...text, parameters })).rows;
  };
}
