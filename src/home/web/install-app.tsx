import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { install } from '../../base/web/install-offer.ts';
import { Button } from '../../kit/web/forms/button.tsx';

/** How long the button rests after an attempt, in milliseconds (spec 9, Install button re-enable). */
const REENABLE_AFTER_MS = 1000;

/** Installs the app (spec 4, Install prompt; contract 5). */
export function InstallApp() {
  const [state, setState] = useState<'ready' | 'asking' | 'resting'>('ready');
  useEffect(() => {
    if (state !== 'resting') return undefined;
    const timer = setTimeout(() => setState('ready'), REENABLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const onPress = () => {
    setState('asking');
    void install().then(() => setState('resting'));
  };
  return (
    <Button icon={<Download />} disabled={state !== 'ready'} onClick={onPress}>
      {state === 'ready' ? 'Install App' : 'Installing...'}
    </Button>
  );
}
