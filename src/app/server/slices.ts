import type { FastifyInstance } from 'fastify';
import { authCalls } from '../../auth/contract.ts';
import { isSecurityEvent } from '../../auth/is-security-event.ts';
import { openEraser } from '../../auth/server/couple/deletion-sweep.ts';
import { userMails } from '../../auth/server/mail/user-mails.ts';
import { authRoutes } from '../../auth/server/routes.ts';
import { createAuthenticator } from '../../auth/server/session/authenticate.ts';
import { openEventStreams } from '../../auth/server/session/event-streams.ts';
import { openSetupCode } from '../../auth/server/sign-in/setup-code.ts';
import { sweepExpired } from '../../auth/server/sweep-expired.ts';
import type { Calls } from '../../base/call.ts';
import { MINUTE } from '../../base/durations.ts';
import { sweepReplies } from '../../base/server/calls/idempotency.ts';
import { serve } from '../../base/server/calls/serve.ts';
import type { Deps } from '../../base/server/deps.ts';
import { startRounds } from '../../base/server/jobs/rounds.ts';
import { sweepMails } from '../../base/server/mail/mail-queue.ts';
import { startMails } from '../../base/server/mail/send-mails.ts';
import { dateCalls } from '../../dates/contract.ts';
import { planCounts } from '../../dates/server/plan-counts.ts';
import { dateRoutes } from '../../dates/server/routes.ts';
import { homeCalls } from '../../home/contract.ts';
import { homeRoutes } from '../../home/server/routes.ts';
import { ideaCalls } from '../../ideas/contract.ts';
import { ideaRoutes } from '../../ideas/server/routes.ts';
import { keepingCalls } from '../../keeping/contract.ts';
import { alarmMails } from '../../keeping/server/alarms/alarm-mails.ts';
import { sweepImports } from '../../keeping/server/import/imported-files.ts';
import { keepingRoutes } from '../../keeping/server/routes.ts';
import { startScheduledJobs } from '../../keeping/server/scheduled-jobs.ts';
import { memoryCalls } from '../../memories/contract.ts';
import { openFileRemover } from '../../memories/server/file-remover.ts';
import { memoriesPort } from '../../memories/server/memories-port.ts';
import { PreviewMaker } from '../../memories/server/pictures/preview-maker.ts';
import { memoryRoutes } from '../../memories/server/routes.ts';
import { startSweeps } from '../../memories/server/sweep/sweep.ts';
import { noteCalls } from '../../notes/contract.ts';
import { noteRoutes } from '../../notes/server/routes.ts';
import { keepOpenedNotes } from '../../notes/server/store.ts';
import { reminderCalls } from '../../reminders/contract.ts';
import { countPhotoForReminder } from '../../reminders/server/count-photo-for-reminder.ts';
import { queueNotesReminder } from '../../reminders/server/queue-notes-reminder.ts';
import { queueRecoveryPush } from '../../reminders/server/recovery-push.ts';
import { reminderRoutes } from '../../reminders/server/routes.ts';
import { startReminders } from '../../reminders/server/send-due-reminders.ts';
import { sweepReminders } from '../../reminders/server/sweep-reminders.ts';
import { searchCalls } from '../../search/contract.ts';
import { searchRoutes } from '../../search/server/routes.ts';
import { statsCalls } from '../../stats/contract.ts';
import { takeBackCelebrations } from '../../stats/server/celebration-store.ts';
import { statsRoutes } from '../../stats/server/routes.ts';
import { uploadCalls } from '../../uploads/contract.ts';
import { sweepUploads } from '../../uploads/server/resumable/sweep-uploads.ts';
import { uploadRoutes } from '../../uploads/server/routes.ts';

/** The contracts of all slices, for the OpenAPI document and the foreign-id tests. */
export const contracts = {
  auth: authCalls,
  ideas: ideaCalls,
  dates: dateCalls,
  notes: noteCalls,
  memories: memoryCalls,
  search: searchCalls,
  uploads: uploadCalls,
  stats: statsCalls,
  home: homeCalls,
  reminders: reminderCalls,
  keeping: keepingCalls,
} as const satisfies Readonly<Record<string, Calls>>;

/** Registers the routes of all slices, and connects the ports through which a slice calls one to its right. */
export function serveSlices(
  fastify: FastifyInstance,
  baseDeps: Deps,
  { checkReplies, hasJobs }: { readonly checkReplies: boolean; readonly hasJobs: boolean },
) {
  const deps: Deps = {
    ...baseDeps,
    announce: async (tx, coupleId, change, only) => {
      await baseDeps.announce(tx, coupleId, change, only);
      if (only === undefined) await countPhotoForReminder(baseDeps.now(), tx, coupleId, change);
    },
  };
  const routeDeps = {
    db: deps.db,
    now: deps.now,
    authenticate: createAuthenticator(deps),
    checkReplies,
    isSecurityEvent,
  };
  const events = openEventStreams(deps);
  const setup = openSetupCode(deps);
  const eraser = openEraser(deps);
  const previewMaker = new PreviewMaker(deps);
  const fileRemover = openFileRemover(deps);
  serve(
    fastify,
    authCalls,
    authRoutes(deps, { events, setup, eraser, keepForPartner: keepOpenedNotes, tellOfRecovery: queueRecoveryPush }),
    routeDeps,
  );
  serve(fastify, ideaCalls, ideaRoutes(deps, planCounts), routeDeps);
  serve(fastify, dateCalls, dateRoutes(deps, memoriesPort, takeBackCelebrations), routeDeps);
  serve(fastify, noteCalls, noteRoutes(deps, queueNotesReminder), routeDeps);
  serve(fastify, memoryCalls, memoryRoutes(deps, { previewMaker, fileRemover }), routeDeps);
  serve(fastify, searchCalls, searchRoutes(deps), routeDeps);
  serve(fastify, uploadCalls, uploadRoutes(deps, previewMaker), routeDeps);
  serve(fastify, statsCalls, statsRoutes(deps), routeDeps);
  serve(fastify, homeCalls, homeRoutes(deps), routeDeps);
  serve(fastify, reminderCalls, reminderRoutes(deps), routeDeps);
  serve(fastify, keepingCalls, keepingRoutes(deps), routeDeps);
  const jobs: { stop(): Promise<void> }[] = [eraser, fileRemover];
  return {
    /** Starts the background jobs. Call it once the server listens. */
    listening: async () => {
      await setup.print();
      if (deps.config.ignoresOidc) deps.log.warn('PUBLIC_URL is not set, so nobody signs in with OIDC_ISSUER');
      if (!hasJobs) return;
      // It is needed again once the last couple is deleted.
      jobs.push(startRounds(MINUTE, setup.print));
      const sweepSteps = [sweepUploads, sweepReplies, sweepImports, sweepReminders, sweepMails, sweepExpired];
      jobs.push(startSweeps(deps, sweepSteps), ...startScheduledJobs(deps), startReminders(deps));
      const mails = await startMails(deps, { ...userMails(deps.config), ...alarmMails(deps.config) });
      if (mails !== null) jobs.push(mails);
    },
    /** Closes event streams, which would otherwise keep the server from finishing its requests. */
    closing: () => {
      events.close();
    },
    /** Stops the background jobs. Call it when no request is in progress. */
    stop: async () => {
      await Promise.all(jobs.map((job) => job.stop()));
      await previewMaker.stop();
    },
  };
}
