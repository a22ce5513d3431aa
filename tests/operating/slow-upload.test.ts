import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sqliteAndDisk } from '../support/engines.ts';
import { planDate } from '../support/factories.ts';
import { makeJpegOfSize } from '../support/images.ts';
import { hasProxies, PROXY_NAMES, type StartedProxy, startProxy } from '../support/operating/proxies.ts';
import { type HttpVersion, ProxyClient } from '../support/operating/proxy-client.ts';
import {
  createInParts,
  expectStatus,
  type Pace,
  pacedPartRequest,
  photoRequest,
} from '../support/operating/upload-requests.ts';
import type { Partner } from '../support/partner.ts';
import { registerCouple } from '../support/register-couple.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

/**
 * Slow uploads, ten times as fast: a minute takes six seconds. What could cut one off is a time limit of the
 * proxy or of the app: for the next byte, for the request as a whole, or for a connection. All of them are divided by
 * ten, those at their defaults too (tests/support/operating/proxies.ts, src/base/server/http/create-http.ts), and so are the client's
 * pauses. Nothing else on the way looks at a clock.
 *
 * What is no time limit, such as storing a photograph, takes its real time, and so ten times as much of the limits.
 * That is why the photographs are small here; whole ones pass the same proxies in proxies.test.ts.
 */
const FASTER = 10;
const SECOND = 1_000 / FASTER;
const MINUTE = 60 * SECOND;
const MB = 1024 * 1024;
const VERSIONS: readonly HttpVersion[] = ['1.1', '2'];
const PHOTO = 13 * MB;
/** The page sends parts of 8 MB, each of which takes 67 seconds at 1 Mbit/s. This part takes as long. */
const PART = MB;
const PART_MS = ((8 * MB) / (1_000_000 / 8)) * SECOND;
/** The longest time without a byte, as in a tunnel. The limit for the next byte is two minutes. */
const PAUSE = MINUTE;
/** The bytes that are sent at a time. */
const PIECE = 16 * 1024;

const shorter = (ms: number) => Math.round(ms / FASTER);

/** Sends bytes evenly for `ms` milliseconds, with pauses in the middle of everything. */
function evenly(ms: number, { pauses = 0 } = {}): Pace {
  return async function* (bytes) {
    const begun = performance.now();
    const sending = ms - pauses * PAUSE;
    const pieces = Math.ceil(bytes.length / PIECE);
    let paused = 0;
    for (let n = 0; n < pieces; n += 1) {
      if (paused < pauses && n >= ((paused + 1) * pieces) / (pauses + 1)) {
        paused += 1;
        await sleep(PAUSE);
      }
      const due = begun + paused * PAUSE + (n / pieces) * sending - performance.now();
      if (due > 1) await sleep(due);
      yield bytes.subarray(n * PIECE, (n + 1) * PIECE);
    }
  };
}

describe.skipIf(!hasProxies() && !process.env.CI)('a slow upload, with time ten times as fast', () => {
  let app: TestApp;
  let ada: Partner;
  let photo: Buffer;
  let proxies: readonly StartedProxy[];
  const clients: ProxyClient[] = [];
  beforeAll(async () => {
    app = await startTestApp(sqliteAndDisk, {
      env: { TRUST_PROXY: '1' },
      timeouts: (usual) => ({
        headers: shorter(usual.headers),
        json: shorter(usual.json),
        request: shorter(usual.request),
        idle: shorter(usual.idle),
        unread: shorter(usual.unread),
      }),
    });
    ({ ada } = await registerCouple(app));
    photo = await makeJpegOfSize(PHOTO);
    proxies = await Promise.all(PROXY_NAMES.map((name) => startProxy(name, { app: app.url, faster: FASTER })));
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    for (const proxy of proxies ?? []) await proxy.stop();
    await app?.close();
  });
  const connect = (name: string, version: HttpVersion) => {
    const client = new ProxyClient(proxies.find((proxy) => proxy.name === name) as StartedProxy, { version });
    clients.push(client);
    return client;
  };
  const newDate = async (title: string) => (await planDate(ada, { idea: { title } })).id;

  it.concurrent.for(PROXY_NAMES.flatMap((name) => VERSIONS.map((version) => ({ name, version }))))(
    'of half an hour in one request arrives through $name with HTTP/$version',
    { tags: ['running.proxies.2'] },
    async ({ name, version }) => {
      const dateId = await newDate(`Half an hour through ${name} with HTTP/${version}`);
      const pace = evenly(30 * MINUTE, { pauses: 3 });
      const request = photoRequest(photo, { dateId, token: ada.token, pace });
      const answer = await connect(name, version).send('POST', '/api/Memories', request);
      expect(JSON.parse(await expectStatus(answer, 201))).toMatchObject({ fileSizeBytes: PHOTO });
    },
  );

  it.concurrent.for(PROXY_NAMES)(
    'of half an hour at 1 Mbit/s arrives in parts through %s, photograph after photograph',
    { tags: ['running.proxies.2'] },
    async (name) => {
      const client = connect(name, '2');
      for (const which of ['first', 'second']) {
        const dateId = await newDate(`The ${which} photograph in parts through ${name}`);
        const path = await createInParts(client, PHOTO, { dateId, token: ada.token });
        for (let at = 0; at < PHOTO; at += PART) {
          const part = photo.subarray(at, at + PART);
          const pace = evenly(PART_MS);
          await expectStatus(
            await client.send('PATCH', path, pacedPartRequest(part, { at, token: ada.token, pace })),
            204,
          );
        }
      }
    },
  );

  it.concurrent.for(PROXY_NAMES)(
    'is cut off through %s by a pause of more than two minutes, so the pauses that it survives mean something',
    { tags: ['running.proxies.2'] },
    async (name) => {
      const dateId = await newDate(`Cut off through ${name}`);
      const pace: Pace = async function* (bytes) {
        yield bytes.subarray(0, MB);
        await sleep(4 * MINUTE);
        yield bytes.subarray(MB);
      };
      const request = photoRequest(photo, { dateId, token: ada.token, pace });
      const answer = connect(name, '1.1').send('POST', '/api/Memories', request);
      const status = await answer.then(({ status: it }) => it).catch(() => null);
      expect(status === null || status >= 400).toBe(true);
    },
  );
});
