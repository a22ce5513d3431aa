import type { FastifyInstance } from 'fastify';
import { authCalls } from '../../auth/contract.ts';
import { isSecurityEvent } from '../../auth/rules.ts';
import { authenticator } from '../../auth/server/authenticate.ts';
import { openEvents } from '../../auth/server/events.ts';
import { authRoutes } from '../../auth/server/routes.ts';
import { announceSetupCode } from '../../auth/server/setup.ts';
import type { Calls } from '../../base/call.ts';
import type { Deps } from '../../base/server/deps.ts';
import { serve } from '../../base/server/serve.ts';
import { dateCalls } from '../../dates/contract.ts';
import { dateRoutes, planCounts } from '../../dates/server/routes.ts';
import { homeCalls } from '../../home/contract.ts';
import { homeRoutes } from '../../home/server/routes.ts';
import { ideaCalls } from '../../ideas/contract.ts';
import { ideaRoutes } from '../../ideas/server/routes.ts';
import { keepingCalls } from '../../keeping/contract.ts';
import { startChores } from '../../keeping/server/chores.ts';
import { keepingRoutes } from '../../keeping/server/routes.ts';
import { memoryCalls } from '../../memories/contract.ts';
import { memoryRoutes } from '../../memories/server/routes.ts';
import { photoPort } from '../../memories/server/store.ts';
import { startSweeps } from '../../memories/server/sweep.ts';
import { Workshop } from '../../memories/server/workshop.ts';
import { reminderCalls } from '../../reminders/contract.ts';
import { hearPhotographs, startReminders } from '../../reminders/server/round.ts';
import { reminderRoutes } from '../../reminders/server/routes.ts';
import { statsCalls } from '../../stats/contract.ts';
import { statsRoutes } from '../../stats/server/routes.ts';

/** Every contract there is, by its slice: for the OpenAPI page and the matrix of foreign ids. */
export const contracts = {
  auth: authCalls,
  ideas: ideaCalls,
  dates: dateCalls,
  memories: memoryCalls,
  stats: statsCalls,
  home: homeCalls,
  reminders: reminderCalls,
  keeping: keepingCalls,
} as const satisfies Readonly<Record<string, Calls>>;

/** Serves all slices, and fills the ports by which an earlier one reaches a later. */
export function serveSlices(fastify: FastifyInstance, given: Deps, checkReplies: boolean) {
  const added = hearPhotographs(given);
  const deps: Deps = {
    ...given,
    announce: (coupleId, change) => {
      given.announce(coupleId, change);
      added.heard(coupleId, change);
    },
  };
  const ports = {
    db: deps.db,
    now: deps.now,
    authenticate: authenticator(deps),
    checkReplies,
    isWatched: isSecurityEvent,
  };
  const events = openEvents(deps);
  const workshop = new Workshop(deps);
  serve(fastify, authCalls, authRoutes(deps, events), ports);
  serve(fastify, ideaCalls, ideaRoutes(deps, planCounts), ports);
  serve(fastify, dateCalls, dateRoutes(deps, photoPort), ports);
  serve(fastify, memoryCalls, memoryRoutes(deps, workshop), ports);
  serve(fastify, statsCalls, statsRoutes(deps), ports);
  serve(fastify, homeCalls, homeRoutes(deps), ports);
  serve(fastify, reminderCalls, reminderRoutes(deps), ports);
  serve(fastify, keepingCalls, keepingRoutes(deps), ports);
  const working: { stop(): Promise<void> }[] = [added];
  return {
    /** What begins once the server listens. */
    listening: async () => {
      await announceSetupCode(deps);
      working.push(startSweeps(deps), startChores(deps), startReminders(deps));
    },
    /** Ends what would go on for ever, so that the requests under way can be waited for. */
    closing: () => events.close(),
    /** Ends what works in the background, once no request is under way. */
    stop: async () => {
      await Promise.all(working.map((work) => work.stop()));
      await workshop.stop();
    },
  };
}
