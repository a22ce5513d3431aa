import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { portableName, UniqueNames } from './archive-names.ts';

describe('a name in an archive', () => {
  it.each([
    ['IMG_1.jpg', 'IMG_1.jpg'],
    ['../../etc/passwd', 'etc passwd'],
    ['a<b>:"c|d?*.png', 'a b c d.png'],
    ['CON.jpg', '_CON.jpg'],
    ['nul', '_nul'],
    ['  dots...  ', 'dots'],
    ['...', 'photo'],
    ['\u202egpj.exe', 'gpj.exe'],
  ])('%j becomes %j', { tags: ['keeping.export.1'] }, (raw, name) => {
    expect(portableName(raw, 'photo')).toBe(name);
  });

  it('is valid on every system, whatever the input', { tags: ['keeping.export.1'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (raw) => {
        const name = portableName(raw, 'photo');
        expect(name).not.toMatch(/[<>:"/\\|?*\u0000-\u001f]|^[. ]|[. ]$|^(con|nul|aux|prn)(\.|$)/i);
        expect(Array.from(name).length).toBeLessThanOrEqual(81);
        expect(name.length).toBeGreaterThan(0);
      }),
    );
  });

  it('keeps its extension if it is long', () => {
    expect(portableName(`${'x'.repeat(300)}.jpeg`, 'photo')).toMatch(/^x+\.jpeg$/);
  });

  it('is unique, also if case is ignored', () => {
    const names = new UniqueNames();
    expect(['a.jpg', 'A.JPG', 'a.jpg', 'a (2).jpg', 'b'].map((name) => names.take(name))).toEqual([
      'a.jpg',
      'A (2).JPG',
      'a (3).jpg',
      'a (2) (2).jpg',
      'b',
    ]);
  });

  it('counts on from the last copy of a name, whatever the number of copies', { tags: ['keeping.export.6'] }, () => {
    const names = new UniqueNames();
    let counted = 0;
    const has = Set.prototype.has;
    const count = vi.spyOn(Set.prototype, 'has').mockImplementation(function (this: Set<unknown>, key) {
      counted += 1;
      return has.call(this, key);
    });
    const all = Array.from({ length: 20_000 }, () => names.take('image.jpg'));
    count.mockRestore();
    expect([all.at(-1), new Set(all).size]).toEqual(['image (20000).jpg', 20_000]);
    expect(counted).toBeLessThan(2 * all.length);
  });
});
