import { ButtonLink } from '../../../kit/web/forms/button.tsx';
import { paths } from '../../../paths.ts';
import type { OidcProblem } from '../../oidc-contract.ts';
import { SUSPENDED } from '../../suspended-text.ts';
import { useSession } from '../session/use-session.ts';
import { Cover } from '../sign-in/cover.tsx';
import { useOidc } from './use-oidc.ts';

/** What went wrong on the way back, as a heading and a sentence on what to do. */
const WORDS: Readonly<Record<OidcProblem, (name: string) => readonly [heading: string, text: string]>> = {
  expired: () => [
    'Please begin again',
    'This took more than ten minutes, was finished already, or was begun in another browser.',
  ],
  refused: (name) => ['Nothing has changed', `${name} did not let you in, or you cancelled there.`],
  invalid: (name) => [
    'Please try again',
    `The answer of ${name} could not be verified, so nothing has changed. If that happens again, tell the person who runs this server.`,
  ],
  unreachable: (name) => ['Please try again', `${name} does not answer right now. Nothing has changed.`],
  // It doesn't say that nothing has changed: the answer to COMMIT may be what was lost.
  unavailable: () => [
    'Please try again',
    'Our album is out of reach for a moment. If that happens again, tell the person who runs this server.',
  ],
  unknown: (name) => [
    'Nobody here uses this account',
    `If you have a space here, sign in with your password or a passkey, and press ‘Connect ${name}’ in Settings. If your partner has one, ask for an invitation: it offers ${name} too.`,
  ],
  elsewhere: (name) => [
    'This account is in use here',
    `It is connected to somebody’s space already, and stays there. Sign in with it, or use another account of ${name}.`,
  ],
  other: (name) => ['This is another account', `Use the account of ${name} that you have connected.`],
  ended: () => ['Please sign in again', 'Your session has ended, so nothing has changed.'],
  suspended: () => ['Suspended', SUSPENDED],
};

/** Says why the way back from the OpenID provider led to nothing, with a way on (openid.signin.4). */
export function ProblemPage({ problem }: { problem: string }) {
  const name = useOidc()?.name ?? 'the other service';
  const isSignedIn = useSession().is === 'in';
  const [heading, text] = WORDS[isProblem(problem) ? problem : 'invalid'](name);
  return (
    <Cover title="Our Love Story" subtitle="For two people, and nobody else.">
      <h2>{heading}</h2>
      <p role="alert">{text}</p>
      <ButtonLink variant="primary" wide href={isSignedIn ? paths.settings : paths.signIn}>
        {isSignedIn ? 'Back to Settings' : 'Sign in'}
      </ButtonLink>
    </Cover>
  );
}

function isProblem(name: string): name is OidcProblem {
  return Object.hasOwn(WORDS, name);
}
