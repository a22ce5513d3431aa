import { loadOnDemand } from '../../../base/web/net/load-on-demand.tsx';
import { useShownWent } from './shown-went.ts';

const WentMessage = loadOnDemand(() => import('./went-message.tsx').then((module) => module.WentMessage));

/** The message after 'We went!'. Its code loads with the first date that may need it, so that it works offline too. */
export function LazyWentMessage({ isOffered }: { isOffered: boolean }) {
  const isShown = useShownWent() !== null;
  return (isOffered || isShown) && <WentMessage />;
}
