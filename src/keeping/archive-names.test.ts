import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  ])('%j becomes %j', (raw, name) => {
    expect(portableName(raw, 'photo')).toBe(name);
  });

  it('is valid on every system, whatever the input', () => {
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
});
