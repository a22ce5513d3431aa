import { findUnusedCode, issueCode, redeemCode } from '../../../auth/server/one-time-code-store.ts';
import { hashOfSecret } from '../../../auth/server/secrets.ts';
import { assertSignedIn } from '../../../auth/server/session/sessions.ts';
import { dayOf, formatInstant } from '../../../base/instants.ts';
import { Refusal } from '../../../base/refusal.ts';
import { StreamAnswer } from '../../../base/server/calls/answer.ts';
import type { Routes } from '../../../base/server/calls/route-types.ts';
import type { Deps } from '../../../base/server/deps.ts';
import { contentDisposition } from '../../../memories/content-disposition.ts';
import type { keepingCalls } from '../../contract.ts';
import { EXPORT_PATH_MS } from '../../rules.ts';
import { exportEntries } from './export-entries.ts';
import { ExportPlaces } from './export-places.ts';
import { zipOf } from './zip.ts';

/**
 * The export routes. A browser's download can't send a token, so a signed-in partner gets a path that works once,
 * within a minute. Only its hash is stored. It is too long to be guessed, so attempts need no limit.
 */
export function exportRoutes(deps: Deps) {
  const { db, log } = deps;
  const places = new ExportPlaces();
  return {
    'POST /api/export': async ({ session, now }) => {
      const { coupleId, userId } = session;
      places.assertFree(userId);
      const download = { kind: 'export', createdBy: userId, forUser: userId } as const;
      const { code, expiresAt } = await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        return issueCode(tx, coupleId, { ...download, bits: 256, lifetime: EXPORT_PATH_MS }, now);
      });
      return { url: `/api/export/${code}`, expiresAt: formatInstant(expiresAt) };
    },

    'GET /api/export/{code}': async ({ request, params, now }) => {
      const codeHash = hashOfSecret(params.code);
      const found = await findUnusedCode(db.read, 'export', codeHash, now);
      if (found === undefined) throw expiredLink();
      const headers = {
        'content-type': 'application/zip',
        'content-disposition': contentDisposition('attachment', `our-love-story-${dayOf(now, 'UTC')}.zip`),
        'cache-control': 'no-store',
      };
      // A HEAD request doesn't use up the path.
      if (request.method === 'HEAD') return new StreamAnswer(null, 200, headers);
      const viewer = { coupleId: found.coupleId, userId: found.createdBy };
      places.assertFree(viewer.userId);
      if (!(await db.write((tx) => redeemCode(tx, viewer.coupleId, found.id, now)))) throw expiredLink();
      const start = () =>
        zipOf(exportEntries(deps, viewer), (error) => log.error({ err: error }, 'an export was aborted'));
      return new StreamAnswer(places.run(viewer.userId, start), 200, headers);
    },
  } satisfies Partial<Routes<typeof keepingCalls>>;
}

function expiredLink(): Refusal {
  return new Refusal(404, 'This download is unknown, used or expired. Please press Export again.');
}
