import { describe } from 'vitest';
import { webkit } from '../../support/browsers/webkit.ts';
import { tellOurStory } from './every-browser.ts';

describe.skipIf(!webkit.isInstalled())(`in ${webkit.name}`, () => {
  tellOurStory(webkit);
});
