/** The published types lack the `preferred` option. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { readonly headers: Readonly<Record<string, string>> });
    encoding(available: readonly string[], options: { readonly preferred: readonly string[] }): string | undefined;
  }
}
