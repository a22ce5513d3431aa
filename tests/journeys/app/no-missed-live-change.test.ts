import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresAndS3 } from '../../support/engines.ts';
import { addIdea } from '../../support/factories.ts';
import { delayRequests, holdRequests } from '../../support/page-steps.ts';
import { registerCouple } from '../../support/register-couple.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { useApp } from '../../support/use-app.ts';
import { gotoLiveAndLoaded, isEvents } from '../goto-live-and-loaded.ts';

/** The page and the server wait longer from one attempt to reconnect to the next, which a busy machine delays too. */
const RECONNECTED = { timeout: 60_000 };

describe('live changes after a gap', () => {
  const here = useApp();
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await startTcpProxy(here.app.url);
  });
  afterAll(() => proxy.close());

  it('appear after the socket broke', { tags: ['wire.live.3'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const viaProxy = { url: new URL(proxy.url).origin };
    const ideas = await here.openAs(ben.at(viaProxy), { name: 'ideas' });
    const settings = await here.openAs(ben.at(viaProxy), { name: 'settings' });
    await gotoLiveAndLoaded(ideas, '/date-ideas');
    await gotoLiveAndLoaded(settings, '/settings');
    await ideas.getByText('No date ideas yet!').waitFor();
    await settings.getByRole('heading', { name: 'Ada cannot sign in?' }).waitFor();

    await proxy.cut();
    await addIdea(ada, { title: 'While the line was down' });
    await ada.call('PUT /api/auth/profile', { body: { displayName: 'Adelaide' } });
    await proxy.mend();

    await ideas.getByText('While the line was down').waitFor(RECONNECTED);
    await settings.getByRole('heading', { name: 'Adelaide cannot sign in?' }).waitFor(RECONNECTED);
  });

  it('are requested by a new connection when the old one is silent', { tags: ['wire.live.3'] }, async () => {
    const { ada } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    await page.clock.install();
    await gotoLiveAndLoaded(page, '/date-ideas');
    const again = page.waitForRequest(isEvents);
    // The server sends a heartbeat every twenty seconds; none arrives in this minute of the page's clock.
    await page.clock.fastForward(60_000);
    await again;
  });
});

describe('changes while a page opens', () => {
  const here = useApp();

  it('appear although the page was not connected yet', { tags: ['wire.live.4'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    await addIdea(ben, { title: 'Before the page' });
    const page = await here.openAs(ada);
    const connect = await holdRequests(page, '**/api/events');
    await page.goto('/date-ideas');
    await page.getByText('Before the page').waitFor();
    await addIdea(ben, { title: 'While it connects' });
    connect();
    await page.getByText('While it connects').waitFor();
  });
});

describe('live changes in a row', () => {
  const here = useApp();

  it('appear although each comes before the page has read the last one', { tags: ['wire.live.5'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const { id } = await addIdea(ben, { title: 'His, 0' });
    const page = await here.openAs(ada);
    await delayRequests(page, '**/api/DateIdeas/active', 900);
    await gotoLiveAndLoaded(page, '/date-ideas');
    await page.getByRole('heading', { name: 'His, 0' }).waitFor();
    const later = page.getByRole('heading', { name: /^His, [1-9]/ });
    let changes = 0;
    while (changes < 30 && (await later.count()) === 0) {
      changes += 1;
      await ben.call('PUT /api/DateIdeas/{id}', {
        params: { id },
        body: { title: `His, ${changes}`, category: 'Food' },
      });
      await setTimeout(500);
    }
    expect(changes).toBeLessThan(30);
    await page.getByRole('heading', { name: `His, ${changes}`, exact: true }).waitFor();
  });

  it('appear although a screen is just reading for the first time what they change', {
    tags: ['wire.live.4'],
  }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    const page = await here.openAs(ada);
    const celebrated = page.waitForResponse('**/api/Stats/celebrations');
    await gotoLiveAndLoaded(page, '/dashboard');
    // From here on, the page asks for these again only because of a change.
    await celebrated;
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: read, resolve: hasRead } = Promise.withResolvers<void>();
    await page.route('**/api/DateIdeas/active', async (route) => {
      const response = await route.fetch();
      hasRead();
      await held;
      await route.fulfill({ response });
    });
    await page.getByRole('link', { name: 'Date Ideas', exact: true }).click();
    await read;
    // Every screen asks for these after a change of an idea.
    const heard = page.waitForRequest('**/api/Stats/celebrations');
    await addIdea(ben, { title: 'A moment too late' });
    await heard;
    release();
    await page.getByText('A moment too late').waitFor();
  });
});

describe('live changes that the server itself missed', () => {
  const here = useApp({ engine: postgresAndS3 });

  it('appear when it sends that some were missed', { tags: ['wire.live.3'] }, async () => {
    const { ada, ben } = await registerCouple(here.app);
    await addIdea(ada, { title: 'As it was' });
    const page = await here.openAs(ben);
    await gotoLiveAndLoaded(page, '/date-ideas');
    await page.getByText('As it was').waitFor();
    // Nobody announces this.
    await here.app.db.write((tx) => sql`update ideas set title = 'As it is' where title = 'As it was'`.execute(tx));
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~ 'listen |pg_notify'`.execute(
      here.app.db.read,
    );
    await page.getByText('As it is').waitFor(RECONNECTED);
  });
});
