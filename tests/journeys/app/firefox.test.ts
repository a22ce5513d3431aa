import { describe } from 'vitest';
import { firefox } from '../../support/browsers/firefox.ts';
import { tellWholeStory } from './whole-story.ts';

describe.skipIf(!firefox.isInstalled())(`in ${firefox.name}`, () => {
  tellWholeStory(firefox);
});
