import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { describeOnBoth } from '../support/engines.ts';
import { makeJpeg } from '../support/images.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { emptyModel } from './couple-model.ts';
import { allCommands, assertSees, firstCommands, PHOTOS, type Real } from './model-commands.ts';

/**
 * Two partners make random calls in turn. After each call, its reply and what the other partner sees are compared with
 * a simple model. fast-check shrinks a failure to a few calls.
 */
const RUNS = 15;
const CALLS = 25;

describeOnBoth('two partners who make random calls', (engine) => {
  let app: TestApp;
  let photos: Buffer[];
  beforeAll(async () => {
    app = await startTestApp(engine);
    photos = await Promise.all(Array.from({ length: PHOTOS }, (_, seed) => makeJpeg({ seed, width: 24, height: 16 })));
  });
  afterAll(() => app.close());

  it('see what the model expects', { tags: ['durability.stored.11'], timeout: 240_000 }, async () => {
    const commands = fc.commands(allCommands, { maxCommands: CALLS, size: '+1' });
    await fc.assert(
      fc.asyncProperty(fc.tuple(...firstCommands), commands, async (first, rest) => {
        const { ada, ben } = await registerCouple(app);
        const model = emptyModel();
        const real: Real = { us: [ada, ben], photos };
        for (const one of first) await one.run(model, real);
        await fc.asyncModelRun(() => ({ model, real }), rest);
        for (const who of ['ada', 'ben'] as const) await assertSees(model, real, who);
      }),
      { numRuns: RUNS },
    );
  });
});
