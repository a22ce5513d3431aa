import { setSourceMapsSupport } from 'node:module';

/*
 * The entry of the server. `npm run build` bundles it into `dist/app/server/main.cjs`, which `npm start` runs; `npm run
 * dev` runs it as it is (decision 35).
 */

// Before the rest is loaded, so that stack traces name its sources. Node's flag for it would also make the logger read
// the whole source map at each start.
setSourceMapsSupport(true);
void import('./run.ts').then(({ run }) => run());
