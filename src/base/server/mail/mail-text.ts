/** A paragraph of a mail: a text, or a link with its text. */
export type Paragraph = string | { readonly text: string; readonly url: string };

/** What a mail says. */
export interface MailText {
  readonly to: string;
  readonly subject: string;
  readonly body: readonly Paragraph[];
}

/** The plain text of a mail. A link is on a line of its own, so that no program breaks it. */
export function plainText({ body }: Pick<MailText, 'body'>): string {
  const paragraphs = body.map((part) => (typeof part === 'string' ? wrap(part) : `${part.text}:\n${part.url}`));
  return `${paragraphs.join('\n\n')}\n`;
}

/** The same as plain HTML. */
export function htmlText({ subject, body }: Pick<MailText, 'subject' | 'body'>): string {
  const paragraphs = body.map((part) =>
    typeof part === 'string'
      ? `<p>${escape(part)}</p>`
      : `<p><a href="${escape(part.url)}">${escape(part.text)}</a></p>`,
  );
  const head = `<meta charset="utf-8"><title>${escape(subject)}</title>`;
  return `<!doctype html>\n<html lang="en">\n<head>${head}</head>\n<body>\n${paragraphs.join('\n')}\n</body>\n</html>\n`;
}

/** Breaks a paragraph into lines of at most 72 characters, as plain mail has them. */
function wrap(text: string): string {
  return text.replace(/(?=\S)(.{1,72})(?:\s+|$)/gu, '$1\n').trimEnd();
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** What looks like an address or a link, also with the dots of other scripts. */
const LINK_LIKE = /[@/\\:]|[\p{L}\p{N}][.\u3002\uff0e\uff61][\p{L}\p{N}]{2}/u;
/** What starts a line, or turns the direction of the words after it. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A name as a mail may have it; null for one that looks like an address or a link. */
export function nameInMail(displayName: string): string | null {
  const name = displayName.normalize('NFKC').replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
  return name === '' || LINK_LIKE.test(name.replace(/\p{DI}/gu, '')) ? null : name;
}
