import { describe } from 'vitest';
import { webkit } from '../../support/browsers/webkit.ts';
import { tellWholeStory } from './whole-story.ts';

describe.skipIf(!webkit.isInstalled())(`in ${webkit.name}`, () => {
  tellWholeStory(webkit);
});
