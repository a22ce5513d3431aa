import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ownOrigin } from '../../auth/server/origin.ts';
import { hashOfSecret, newSecret } from '../../auth/server/secrets.ts';
import { assertSignedIn } from '../../auth/server/session/sessions.ts';
import { formatInstant } from '../../base/instants.ts';
import { notFound } from '../../base/refusal.ts';
import { type AnswerHeaders, StreamAnswer } from '../../base/server/calls/answer.ts';
import { hasTagOfIfNoneMatch } from '../../base/server/calls/if-none-match.ts';
import type { Routes } from '../../base/server/calls/route-types.ts';
import type { Deps } from '../../base/server/deps.ts';
import type { dateCalls } from '../contract.ts';
import { calendarOf } from './calendar.ts';
import {
  deleteCalendarLink,
  findOwnerOfCalendar,
  readCalendarLinkTime,
  replaceCalendarLink,
} from './calendar-link-store.ts';
import { allDates, findDate } from './visible-dates.ts';

/** The link to a calendar feed (read, replace, delete), the feed at its secret address, and the file of one date. */
export function calendarRoutes({ db, config }: Pick<Deps, 'db' | 'config'>) {
  return {
    'GET /api/calendar': async ({ session: { coupleId, userId } }) => {
      const since = await readCalendarLinkTime(db.read, coupleId, userId);
      return { createdAt: since === null ? null : formatInstant(since) };
    },

    // The address is returned once; only its hash is stored.
    'POST /api/calendar': async ({ request, session, now }) => {
      const secret = newSecret(256);
      const link = { secretHash: hashOfSecret(secret), createdAt: now };
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        await replaceCalendarLink(tx, session.coupleId, session.userId, link);
      });
      const url = `${ownOrigin(config, request)}/api/calendar/${secret}.ics`;
      return { url, createdAt: formatInstant(now) };
    },

    'DELETE /api/calendar': async ({ session }) => {
      await db.write(async (tx) => {
        await assertSignedIn(tx, session);
        if (!(await deleteCalendarLink(tx, session.coupleId, session.userId))) throw notFound('Calendar link');
      });
      return null;
    },

    'GET /api/calendar/{secret}.ics': async ({ request, params, now }) => {
      const owner = await findOwnerOfCalendar(db.read, hashOfSecret(params.secret));
      if (owner === null) throw notFound('Calendar');
      const [dates, origin] = [await allDates(db.read, owner, now), ownOrigin(config, request)];
      // Calendar apps poll every hour, and the text costs far more than its rows. That of one date changes when an update
      // of the app writes it in another way.
      const sample = calendarOf(dates.slice(0, 1), origin);
      const etag = `"${createHash('sha256')
        .update(JSON.stringify([sample, dates]))
        .digest('base64url')}"`;
      const headers = { etag, 'cache-control': 'private, no-cache' };
      if (hasTagOfIfNoneMatch(request.headers['if-none-match'], etag)) return new StreamAnswer(null, 304, headers);
      return calendarReply(calendarOf(dates, origin), 'inline; filename="our-dates.ics"', headers);
    },

    'GET /api/PlannedDates/{id}/calendar': async ({ request, params: { id }, session, now }) => {
      const date = await findDate(db.read, session, id, now);
      if (!date) throw notFound('Planned date');
      return calendarReply(calendarOf([date], ownOrigin(config, request)), 'attachment; filename="our-date.ics"');
    },
  } satisfies Partial<Routes<typeof dateCalls>>;
}

function calendarReply(text: string, disposition: string, headers: AnswerHeaders = {}): StreamAnswer {
  return new StreamAnswer(Readable.from([text]), 200, {
    'content-type': 'text/calendar; charset=utf-8',
    'content-disposition': disposition,
    'cache-control': 'no-store',
    ...headers,
  });
}
