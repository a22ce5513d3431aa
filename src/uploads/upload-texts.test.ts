import { describe, expect, it } from 'vitest';
import { failedText, savedText, saveText, selectedText } from './upload-texts.ts';

describe('words', () => {
  it('uses the singular and the plural', { tags: ['uploads.sending.5'] }, () => {
    expect([selectedText(1), selectedText(5)]).toEqual(['1 photo selected', '5 photos selected']);
    expect([saveText(0), saveText(1), saveText(2)]).toEqual(['Save 0 Memories', 'Save 1 Memory', 'Save 2 Memories']);
    expect(savedText(1)).toBe('Our 1 beautiful moment has been saved forever');
    expect(savedText(3)).toBe('Our 3 beautiful moments have been saved forever');
    expect(failedText(2, 3)).toBe(
      '2 file(s) failed to upload. You can retry the failed uploads or continue with the 3 successfully uploaded memories.',
    );
  });
});
