import { Download } from 'lucide-react';
import { useState } from 'react';
import { canOnlyInstallByHand } from '../../base/web/device/can-only-install-by-hand.ts';
import { installOffer } from '../../base/web/device/install-offer.ts';
import { useTimer } from '../../base/web/device/timers.ts';
import { Button, buttonClass } from '../../kit/web/forms/button.tsx';
import css from './install-app.module.css';

/** How long the button stays disabled after an attempt, in milliseconds. */
const REENABLE_AFTER_MS = 1000;

/** The 'Install App' button. On an iPhone or iPad it explains how. */
export function InstallApp() {
  return canOnlyInstallByHand() ? <AddToHomeScreen /> : <InstallButton />;
}

function AddToHomeScreen() {
  return (
    <details className={css.steps}>
      <summary className={buttonClass({})}>
        <Download />
        Install App
      </summary>
      <ol>
        <li>Tap the Share button of this browser.</li>
        <li>Choose ‘Add to Home Screen’, then ‘Add’.</li>
        <li>Open our album from the home screen, and sign in there once.</li>
      </ol>
      <p className="aside">Reminders work only there.</p>
    </details>
  );
}

/** Shows the browser's install prompt and waits for the decision. Errors are only logged. */
async function install(): Promise<void> {
  const offer = installOffer.get();
  try {
    await offer?.prompt();
    if ((await offer?.userChoice)?.outcome === 'accepted') installOffer.set(null);
  } catch (error) {
    console.warn('The app could not be installed.', error);
  }
}

function InstallButton() {
  const [state, setState] = useState<'ready' | 'prompting' | 'disabled'>('ready');
  useTimer(state === 'disabled' ? state : null, REENABLE_AFTER_MS, () => setState('ready'));
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
