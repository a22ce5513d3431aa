import { describe, expect, it } from 'vitest';
import { htmlText, nameInMail, plainText } from './mail-text.ts';

describe('the text of a mail', () => {
  const mail = {
    subject: 'A & B',
    body: ['word '.repeat(40).trim(), { text: 'Open "it"', url: 'https://album.example/auth/recover/abc?a=1&b=2' }],
  };

  it('has short lines, and each link on a line of its own', { tags: ['mail.sending.6'] }, () => {
    const lines = plainText(mail).split('\n');
    expect(lines.every((line) => line.length <= 72)).toBe(true);
    expect(lines).toContain('https://album.example/auth/recover/abc?a=1&b=2');
    expect(lines.filter((line) => line.startsWith('word')).join(' ')).toBe(mail.body[0]);
  });

  it('is plain HTML without anything to load', { tags: ['mail.sending.6'] }, () => {
    const html = htmlText(mail);
    expect(html).toContain('<a href="https://album.example/auth/recover/abc?a=1&amp;b=2">Open &quot;it&quot;</a>');
    expect(html).toContain('<title>A &amp; B</title>');
    expect(html).not.toMatch(/<(img|link|script|style|iframe)|src=/);
  });
});

describe('a name in a mail', () => {
  it.each(['Ada', 'Jean-Luc', 'J. R.', 'J.R.', 'Zoë 👩‍👩‍👧', 'عائشة'])('is %s', (name) =>
    expect(nameInMail(name)).toBe(name),
  );
  it.each(['a.example', 'x@y', 'http:x', 'a/b', 'a\u200b.example', 'ａ．ｅｘ', 'evil。example', '\n'])(
    'is not %j',
    (name) => expect(nameInMail(name)).toBeNull(),
  );
  it('is on one line, in the direction of the text', () => {
    expect(nameInMail('Ada\n\u202eneB')).toBe('Ada neB');
  });
});
