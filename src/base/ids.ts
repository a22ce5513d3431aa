declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Whose things a query may touch. Every query takes one first; only a session or a code makes one. */
export type CoupleId = Branded<'CoupleId'>;
export type UserId = Branded<'UserId'>;
