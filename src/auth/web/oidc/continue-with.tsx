import { useMutation } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { asApiError } from '../../../base/web/net/api-error.ts';
import { Banner } from '../../../kit/web/feedback/banner.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { refusalText } from '../refusal-text.ts';
import { goToProvider } from './go-to-provider.ts';

export interface ContinueWithProps {
  /** What users call the provider. */
  readonly name: string;
  /** What for, when the button is pressed. */
  readonly visit: () => Parameters<typeof goToProvider>[0];
}

/** The button that signs in, registers or joins with the OpenID provider (openid.signin.4). */
export function ContinueWith({ name, visit }: ContinueWithProps) {
  const leave = useMutation({ mutationFn: () => goToProvider(visit()) });
  return (
    <>
      <Banner onDismiss={leave.reset}>{leave.error && refusalText(asApiError(leave.error))}</Banner>
      <Button wide icon={<LogIn />} busy={leave.isPending} onClick={() => leave.mutate()}>
        <span>
          Continue with <bdi>{name}</bdi>
        </span>
      </Button>
    </>
  );
}
