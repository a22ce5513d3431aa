import { expect, it } from 'vitest';
import { handleCalls } from '../../../../tests/support/handle-calls.ts';
import { registerUs, show } from '../../../../tests/support/screens.tsx';
import { refetchUser } from './refetch-user.ts';
import { session } from './session.ts';

it('refetchUser keeps the answer to the later request, whichever comes last', { tags: ['wire.live.1'] }, async () => {
  const { ada, ben } = await registerUs();
  await show('/settings', ada);
  const answered = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const arriveLate = async (ask: () => Promise<Response>) => {
    const answer = await ask();
    answered.resolve();
    await arrived.promise;
    return answer;
  };
  handleCalls('GET /api/auth/session', arriveLate, 1);
  const earlier = refetchUser();
  await answered.promise;
  await ben.call('POST /api/auth/leave', { body: { currentPassword: ben.password } });
  await refetchUser();
  arrived.resolve();
  await earlier;
  expect(session.get()).toMatchObject({ user: { partner: null } });
});
