declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Limits a query to one couple's data: every query takes it first. Only a session or a code creates one. */
export type CoupleId = Branded<'CoupleId'>;
export type UserId = Branded<'UserId'>;
