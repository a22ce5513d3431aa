import { useSyncExternalStore } from 'react';
import { unstoredText } from '../../../home/waiting-text.ts';
import { shotSender } from '../../../uploads/web/queue/shot-sender.ts';

/** What every screen says of the photographs of date mode: how many exist only on this page until they are sent. */
export function UnsentShots() {
  const shots = useSyncExternalStore(shotSender.subscribe, shotSender.shots);
  const unstored = shots.filter(({ isStored, state }) => !isStored && state !== 'refused').length;
  return unstored > 0 && <p>{unstoredText(unstored)}</p>;
}
