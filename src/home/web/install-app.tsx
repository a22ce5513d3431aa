import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { install } from '../../base/web/install-offer.ts';
import { Button } from '../../kit/web/forms/button.tsx';

/** How long the button stays disabled after an attempt, in milliseconds (spec 9, Install button re-enable). */
const REENABLE_AFTER_MS = 1000;

/** The 'Install App' button (spec 4, Install prompt; contract 5). */
export function InstallApp() {
  const [state, setState] = useState<'ready' | 'prompting' | 'disabled'>('ready');
  useEffect(() => {
    if (state !== 'disabled') return undefined;
    const timer = setTimeout(() => setState('ready'), REENABLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const onPress = () => {
    setState('prompting');
    void install().then(() => setState('disabled'));
  };
  return (
    <Button icon={<Download />} disabled={state !== 'ready'} onClick={onPress}>
      {state === 'ready' ? 'Install App' : 'Installing...'}
    </Button>
  );
}
