declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Limits a query to one couple's data: every query takes it first. Only a session or a code creates one. */
export type CoupleId = Branded<'CoupleId'>;
export type UserId = Branded<'UserId'>;

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Returns whether a value has the shape of an id. No row has another one. */
export function isId(raw: unknown): raw is string {
  return typeof raw === 'string' && UUID_V7.test(raw);
}
