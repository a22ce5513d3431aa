import { describe, expect, it } from 'vitest';
import { isHostAlone, type LinkInText, splitLinks, withoutLinks } from './links.ts';

const linksIn = (text: string) => splitLinks(text).filter((piece): piece is LinkInText => typeof piece !== 'string');
const textsIn = (text: string) => linksIn(text).map((link) => link.text);

describe('a web address in a text', () => {
  it.each([
    ['See https://example.org/menu.', ['https://example.org/menu']],
    ['https://example.org', ['https://example.org']],
    ['HTTPS://Example.ORG/A?b=1#c!', ['HTTPS://Example.ORG/A?b=1#c']],
    ['(http://example.org/a) and [https://example.org/b].', ['http://example.org/a', 'https://example.org/b']],
    ['https://en.wikipedia.org/wiki/Date_(fruit)', ['https://en.wikipedia.org/wiki/Date_(fruit)']],
    ['(https://en.wikipedia.org/wiki/Date_(fruit))', ['https://en.wikipedia.org/wiki/Date_(fruit)']],
    ['“https://example.org/a”, ‘https://example.org/b’', ['https://example.org/a', 'https://example.org/b']],
    ['Menu:https://example.org/a,b;\nhttps://example.org/c…', ['https://example.org/a,b', 'https://example.org/c']],
    ['https://example.org:8443/a', ['https://example.org:8443/a']],
  ])('is found in %j', { tags: ['screens.links.1'] }, (text, addresses) => {
    expect(textsIn(text)).toEqual(addresses);
    expect(
      splitLinks(text)
        .map((piece) => (typeof piece === 'string' ? piece : piece.text))
        .join(''),
    ).toBe(text);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt://example.org/%0aalert(1)',
    'data:text/html,<script>alert(1)</script>',
    'ftp://example.org/a',
    'file:///etc/passwd',
    'xhttps://example.org',
    'https://',
    'https://?',
    'https:// example.org',
    'https://our-bank.example@evil.example/',
    'https://user:secret@evil.example/',
    'www.example.org',
  ])('is not %j', { tags: ['screens.links.2'] }, (text) => {
    expect(splitLinks(text)).toEqual([text]);
  });

  it.each([
    ['The weir', 'The weir'],
    ['The weir, https://weir.example.org/way', 'The weir'],
    ['https://weir.example.org: the weir', 'the weir'],
    ['https://weir.example.org', ''],
  ])('can be left out of %j', { tags: ['screens.links.1'] }, (text, rest) => {
    expect(withoutLinks(text)).toBe(rest);
  });

  it('ends before a character that turns the direction of writing', { tags: ['screens.links.2'] }, () => {
    expect(textsIn('https://example.org/\u202egpj.exe')).toEqual(['https://example.org/']);
    expect(textsIn('https://example\u200b.org/')).toEqual(['https://example']);
  });

  it('tells the host that the browser asks for', { tags: ['screens.links.2'] }, () => {
    const [lookAlike] = linksIn('https://\u0430pple.com/a');
    expect(lookAlike).toMatchObject({ host: 'xn--pple-43d.com', href: 'https://xn--pple-43d.com/a' });
    expect(isHostAlone(linksIn('https://\u0430pple.com')[0] as LinkInText)).toBe(false);
    expect(isHostAlone(linksIn('https://example.org/')[0] as LinkInText)).toBe(true);
    expect(isHostAlone(linksIn('https://example.org/menu')[0] as LinkInText)).toBe(false);
  });
});
