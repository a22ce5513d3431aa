import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFingerprintReader } from '../support/add-fingerprint-reader.ts';
import { sqliteAndDisk } from '../support/engines.ts';
import { readEvents } from '../support/event-stream.ts';
import { planDate } from '../support/factories.ts';
import { fillGallery } from '../support/fill-gallery.ts';
import { freePorts } from '../support/free-ports.ts';
import { makeJpegOfSize } from '../support/images.ts';
import { measureChangeDelay } from '../support/measure-change-delay.ts';
import { HOST, SITE } from '../support/operating/operating-texts.ts';
import { hasProxies, PROXY_NAMES, type StartedProxy, startProxy } from '../support/operating/proxies.ts';
import { type HttpVersion, ProxyClient } from '../support/operating/proxy-client.ts';
import { createInParts, expectStatus, pacedPartRequest, photoRequest } from '../support/operating/upload-requests.ts';
import { type KeptBytes, watchKeptBytes } from '../support/operating/watch-kept-bytes.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { type SpawnedServer, spawnServer } from '../support/spawn-server.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestStorage, type TestStorage } from '../support/test-storage.ts';
import { upload } from '../support/upload.ts';
import { useChromium } from '../support/use-chromium.ts';

const MB = 1024 * 1024;
/** The largest photograph, and the parts in which the page sends it. */
const LARGEST = 100 * MB;
const PART = 8 * MB;
/** How many gigabytes the export has: 3 take too long for every run. */
const EXPORT_GB = Number(process.env.EXPORT_GB ?? '0.3');
/** What a proxy may keep of all that passes through it. A copy of a photograph or of the export would be far more. */
const MOST_KEPT = { written: 4 * MB, largestFile: 4 * MB, memory: 64 * MB };
const VERSIONS: readonly HttpVersion[] = ['1.1', '2'];

/** One app, with both proxies before it. */
let storage: TestStorage;
let app: SpawnedServer;
let ada: Partner;
let ben: Partner;
/** Of another couple, whose gallery has `EXPORT_GB`. */
let collector: Partner;
let memoryId: string;
let largest: Buffer;

async function startApp(): Promise<void> {
  storage = await createTestStorage(sqliteAndDisk);
  const filling = await startTestApp(sqliteAndDisk, { storage });
  const { ada: hers } = await registerCouple(filling);
  largest = await makeJpegOfSize(LARGEST);
  const { id } = await planDate(hers, { idea: { title: 'The largest photograph' } });
  memoryId = (await upload(hers, largest, { dateId: id })).body.id;
  const count = Math.ceil((EXPORT_GB * 1024 * MB) / LARGEST);
  await fillGallery(filling.db, storage.env.DATA_DIR ?? '', count, ['original', 'thumbnail']);
  const couple = await registerCouple(filling);
  await filling.close();
  const [port] = await freePorts(1);
  app = await spawnServer(storage, { env: { PORT: String(port), PUBLIC_URL: SITE, TRUST_PROXY: '1' } });
  [ada, ben, collector] = [couple.ada.at(app), couple.ben.at(app), hers.at(app)];
}

describe.skipIf(!hasProxies() && !process.env.CI)('behind the proxies of docs/operating.md', () => {
  beforeAll(startApp);
  afterAll(async () => {
    await app.kill('SIGKILL');
    await storage.remove();
  });

  describe.each(PROXY_NAMES)('%s', (name) => {
    let proxy: StartedProxy;
    const clients: ProxyClient[] = [];
    beforeAll(async () => {
      proxy = await startProxy(name, { app: app.url });
    });
    const chromium = useChromium({
      args: () => [
        // The page is at the address of the documentation, without a port; the proxy listens on any.
        `--host-resolver-rules=MAP ${HOST} 127.0.0.1:${proxy.port}`,
        // Accepts the certificate as if an authority had signed it, so that HSTS and service workers work.
        `--ignore-certificate-errors-spki-list=${proxy.certificate.keyHash}`,
      ],
    });
    afterAll(async () => {
      for (const client of clients) client.close();
      await proxy.stop();
    });
    const connect = (version: HttpVersion, from?: string) => {
      const client = new ProxyClient(proxy, { version, ...(from === undefined ? {} : { from }) });
      clients.push(client);
      return client;
    };
    /** A date of its own for each upload, because the same bytes are only stored once for a date. */
    const newDate = async (title: string) => (await planDate(ada, { idea: { title } })).id;

    it('redirects plain HTTP, sends HSTS, and sets a cookie that only HTTPS and this host have', {
      tags: ['running.proxies.1'],
    }, async () => {
      const plain = get({ host: '127.0.0.1', port: proxy.httpPort, path: '/dates', headers: { host: HOST } });
      const [redirect] = (await once(plain, 'response')) as [IncomingMessage];
      expect([301, 308]).toContain(redirect.statusCode);
      expect(redirect.headers.location).toMatch(new RegExp(`^${SITE}(:\\d+)?/dates$`));
      const body = Buffer.from(JSON.stringify({ email: ada.email, password: ada.password }));
      const headers = { 'content-type': 'application/json' };
      const signedIn = await connect('2').send('POST', '/api/auth/login', { headers, body });
      await expectStatus(signedIn, 200);
      expect(signedIn.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
      const [cookie = ''] = [signedIn.headers['set-cookie'] ?? []].flat();
      expect(cookie).toMatch(/^__Host-our-love-story-/);
      for (const attribute of [/; Secure/, /; HttpOnly/, /; Path=\/;/]) expect(cookie).toMatch(attribute);
      expect(cookie).not.toMatch(/Domain/i);
    });

    it('serves a page that can be installed, with passkeys, a service worker and HTTP/2', {
      tags: ['running.proxies.1'],
    }, async () => {
      const page = await chromium.open(SITE, { reducedMotion: 'reduce', serviceWorkers: 'allow' });
      await addFingerprintReader(page);
      await page.goto('/');
      const protocol = await page.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
        return entry?.nextHopProtocol;
      });
      expect(protocol).toBe('h2');
      await page.getByLabel('Email').fill(ada.email);
      await page.getByLabel('Password', { exact: true }).fill(ada.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/dashboard');
      const cookies = await page.context().cookies(SITE);
      expect(
        cookies.map(({ name, secure, httpOnly, domain }) => [name.replace(/-\w{8}$/, ''), secure, httpOnly, domain]),
      ).toEqual([['__Host-our-love-story', true, true, HOST]]);

      await page.goto('/settings');
      const setting = page.getByRole('region', { name: 'Password' });
      await setting.getByRole('button', { name: 'Add a Passkey' }).click();
      await setting.getByLabel('Your password').fill(ada.password);
      await setting.getByRole('button', { name: 'Add', exact: true }).click();
      await setting.getByText(/not used yet$/).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).first().click();
      await page.getByRole('button', { name: 'Use a passkey' }).click();
      await page.waitForURL('**/dashboard');

      // It loads the whole page before, which takes a busy machine longer than anything that a user waits for.
      const isActive = async () => (await navigator.serviceWorker.ready).active?.state === 'activated';
      await page.waitForFunction(isActive, undefined, { timeout: 60_000 });
      // Chromium itself goes to HTTPS now, before any request leaves it.
      const response = await page.goto(`http://${HOST}/date-ideas`);
      expect(page.url()).toBe(`${SITE}/date-ideas`);
      const first = await response?.request().redirectedFrom()?.response();
      expect(await first?.headerValue('non-authoritative-reason')).toBe('HSTS');
      const devtools = await page.context().newCDPSession(page);
      const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
      // A test's window is like a private window, in which nothing can be installed.
      expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
    });

    it.each(VERSIONS)(
      'takes a photograph of 100 MB whole, through HTTP/%s',
      { tags: ['running.proxies.1'] },
      async (version) => {
        const client = connect(version);
        const dateId = await newDate(`Whole through ${name} and HTTP/${version}`);
        const kept = await watchKeptBytes(proxy.pids(), async () => {
          const answer = await client.send(
            'POST',
            '/api/Memories',
            photoRequest(largest, { dateId, token: ada.token }),
          );
          expect(JSON.parse(await expectStatus(answer, 201))).toMatchObject({ fileSizeBytes: LARGEST });
        });
        expectNoCopy(kept);
      },
    );

    it.each(VERSIONS)(
      'takes a photograph of 100 MB in parts, through HTTP/%s',
      { tags: ['running.proxies.1'] },
      async (version) => {
        const client = connect(version);
        const dateId = await newDate(`In parts through ${name} and HTTP/${version}`);
        const kept = await watchKeptBytes(proxy.pids(), async () => {
          const path = await createInParts(client, LARGEST, { dateId, token: ada.token });
          for (let at = 0; at < LARGEST; at += PART) {
            const part = largest.subarray(at, at + PART);
            await expectStatus(await client.send('PATCH', path, pacedPartRequest(part, { at, token: ada.token })), 204);
          }
        });
        const { body } = await ada.call('GET /api/Memories', { query: { plannedDateId: dateId } });
        expect(body.map(({ fileSizeBytes }) => fileSizeBytes)).toEqual([LARGEST]);
        expectNoCopy(kept);
      },
    );

    it.each(VERSIONS)(
      'passes live changes on within a second, through HTTP/%s',
      { tags: ['running.proxies.1'] },
      async (version) => {
        const headers = { authorization: `Bearer ${ada.token}` };
        const { status, body } = await connect(version).send('GET', '/api/events', { headers });
        expect(status).toBe(200);
        const events = readEvents(Readable.toWeb(body).getReader() as ReadableStreamDefaultReader<Uint8Array>);
        const next = async () => {
          for (;;) {
            const { value } = await events.next();
            if (!value) throw new Error('The event stream ended');
            if (value !== 'resync') return value;
          }
        };
        expect(await measureChangeDelay(ben, [{ next }])).toBeLessThan(1_000);
        body.destroy();
      },
    );

    it.each(VERSIONS)(
      'passes on parts of a photograph (Range), through HTTP/%s',
      { tags: ['running.proxies.1'] },
      async (version) => {
        const client = connect(version);
        const path = `/api/Memories/${memoryId}/image`;
        const headers = { authorization: `Bearer ${collector.token}` };
        for (const [range, from, to] of [
          ['bytes=1000-1999', 1_000, 2_000],
          [`bytes=-70000`, LARGEST - 70_000, LARGEST],
        ] as const) {
          const answer = await client.send('GET', path, { headers: { ...headers, range } });
          expect(answer.status).toBe(206);
          expect(answer.headers['content-range']).toBe(`bytes ${from}-${to - 1}/${LARGEST}`);
          expect((await buffer(answer.body)).equals(largest.subarray(from, to))).toBe(true);
        }
        const past = await client.send('GET', path, { headers: { ...headers, range: `bytes=${LARGEST}-` } });
        await expectStatus(past, 416);
      },
    );

    it('passes the address of a client to the app, and a client cannot forge it', {
      tags: ['running.proxies.1'],
    }, async () => {
      const n = PROXY_NAMES.indexOf(name);
      const [attacker, neighbor] = [connect('2', `127.0.${n + 1}.2`), connect('2', `127.0.${n + 1}.3`)];
      /** Each try is for another account, so that only the address is limited. */
      const attempt = async (client: ProxyClient, forged: Readonly<Record<string, string>> = {}) => {
        const email = `${Math.random()}@example.org`;
        const body = Buffer.from(JSON.stringify({ email, password: 'a wrong password' }));
        const headers = { 'content-type': 'application/json', ...forged };
        const answer = await client.send('POST', '/api/auth/login', { headers, body });
        await answer.text();
        return answer.status;
      };
      const forge = (address: string) => ({
        'x-forwarded-for': address,
        forwarded: `for=${address}`,
        'x-real-ip': address,
      });
      for (let tries = 0; tries < 10; tries += 1) {
        expect(await attempt(attacker, forge(`203.0.113.${tries}`))).toBe(401);
      }
      expect(await attempt(attacker)).toBe(429);
      expect(await attempt(attacker, forge(`127.0.${n + 1}.3`))).toBe(429);
      // The attacker has used up nobody else's tries.
      expect(await attempt(neighbor)).toBe(401);
    });

    it.each(VERSIONS)(
      'streams an export without keeping a copy of it, through HTTP/%s',
      { tags: ['running.proxies.1'] },
      async (version) => {
        const { body: link } = await collector.call('POST /api/export');
        const path = new URL(link.url, SITE).pathname;
        const kept = await watchKeptBytes(proxy.pids(), async () => {
          const { bytes, end } = await downloadSlowly(connect(version), path);
          expect(bytes).toBeGreaterThan(EXPORT_GB * 1024 * MB);
          // The end of a ZIP file's directory.
          expect(end.includes('PK\x05\x06')).toBe(true);
        });
        expectNoCopy(kept);
      },
    );
  });

  it('would see it if nginx copied the export to its disk', { tags: ['running.proxies.1'] }, async () => {
    const buffering = await startProxy('nginx', {
      app: app.url,
      edit: (text) => text.replace(/proxy_buffering +off;/, ''),
    });
    const client = new ProxyClient(buffering, { version: '2' });
    try {
      const { body: link } = await collector.call('POST /api/export');
      const { largestFile } = await watchKeptBytes(buffering.pids(), async () => {
        await downloadSlowly(client, new URL(link.url, SITE).pathname);
      });
      expect(largestFile).toBeGreaterThan(MOST_KEPT.largestFile);
    } finally {
      client.close();
      await buffering.stop();
    }
  });
});

function expectNoCopy(kept: KeptBytes): void {
  for (const where of ['written', 'largestFile', 'memory'] as const) {
    expect(kept[where], where).toBeLessThan(MOST_KEPT[where]);
  }
}

/**
 * Downloads like a client that is slower than the server: it stops for two seconds after the first bytes, in which a
 * proxy that buffers would go on reading. Returns the number of bytes, and the last hundred.
 */
async function downloadSlowly(client: ProxyClient, path: string): Promise<{ bytes: number; end: Buffer }> {
  const { status, body } = await client.send('GET', path);
  expect(status).toBe(200);
  let bytes = 0;
  let last: Buffer = Buffer.alloc(0);
  for await (const part of body as AsyncIterable<Buffer>) {
    if (bytes === 0) await sleep(2_000);
    bytes += part.length;
    last = part.length < 100 ? Buffer.concat([last, part]) : part;
  }
  return { bytes, end: last.subarray(-100) };
}
