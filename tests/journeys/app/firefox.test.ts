import { describe } from 'vitest';
import { firefox } from '../../support/browsers/firefox.ts';
import { tellOurStory } from './every-browser.ts';

describe.skipIf(!firefox.isInstalled())(`in ${firefox.name}`, () => {
  tellOurStory(firefox);
});
