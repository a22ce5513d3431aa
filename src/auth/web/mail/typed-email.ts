let typed = '';

/** Keeps the e-mail that was typed on the sign-in page for the page of a forgotten password, in memory only. */
export function keepTypedEmail(email: string): void {
  typed = email;
}

/** The e-mail that was last typed on the sign-in page, or ''. */
export function typedEmail(): string {
  return typed;
}
