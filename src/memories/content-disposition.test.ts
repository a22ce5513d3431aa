import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition } from './content-disposition.ts';
import { cleanFileName } from './file-name.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 400 });

describe('the Content-Disposition header', () => {
  it('has an ASCII name and the encoded name', { tags: ['memories.sending.6'] }, () => {
    expect(contentDisposition('inline', 'us "two" (café).jpg')).toBe(
      `inline; filename="us _two_ (caf_).jpg"; filename*=UTF-8''us%20%22two%22%20%28caf%C3%A9%29.jpg`,
    );
  });

  it('is a valid header, and decodes to the name', () => {
    fc.assert(
      fc.property(anyText, (raw) => {
        const name = cleanFileName(raw, 'photo.jpg');
        const header = contentDisposition('attachment', name);
        expect(new Headers({ 'content-disposition': header }).get('content-disposition')).toBe(header);
        expect(decodeURIComponent(/filename\*=UTF-8''([^;]+)$/.exec(header)?.[1] ?? '')).toBe(name);
        expect(header).toMatch(/^attachment; filename="[^"]*"; filename\*=UTF-8''[\w.%!#$&+^`|~-]+$/);
      }),
    );
  });
});
