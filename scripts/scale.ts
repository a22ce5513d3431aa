import { printNeeds } from './scale/print-need.ts';

/** `npm run scale`: prints what 1,000, 100,000 and 10 million couples need, by the model of `scripts/scale/model.ts`. */
console.log(printNeeds());
