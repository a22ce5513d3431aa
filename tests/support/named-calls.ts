import type { Call, CallName, Calls } from '../../src/base/call.ts';

/** The calls of a contract with their names, for the tests of contracts. */
export function namedCalls(contract: Calls): readonly [CallName, Call][] {
  return Object.entries(contract) as [CallName, Call][];
}
