import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { plural } from '../../../base/number-texts.ts';
import { useStore } from '../../../base/web/state/use-store.ts';
import { refusedOnlyHereText, unstoredText } from '../../../date-mode/waiting-text.ts';
import { waitingShots } from '../../../date-mode/web/waiting-shots.ts';
import { paths } from '../../../paths.ts';
import { countRefusedShots } from '../../../uploads/web/queue/count-unsent-shots.ts';

/** What every screen says about photographs of date mode that need the user: the server or this device refused them. */
export function RefusedShotsNotice({ owner }: { owner: string }) {
  const shots = useStore(waitingShots);
  const onlyHere = shots.filter(({ storing }) => storing === 'failed');
  const refusedHere = onlyHere.filter(({ state }) => state === 'refused').length;
  const unstored = onlyHere.length - refusedHere;
  const refused = useRefusedCount(owner);
  return (
    <>
      {unstored > 0 && <p>{unstoredText(unstored)}</p>}
      {refusedHere > 0 && <p>{refusedOnlyHereText(refusedHere)}</p>}
      {refused > 0 && (
        <p>
          {plural(refused, 'photograph')} could not be saved, and {refused === 1 ? 'is' : 'are'} still on this device.{' '}
          <Link href={paths.upload}>Restore {refused === 1 ? 'it' : 'them'} on the upload page</Link>
        </p>
      )}
    </>
  );
}

/** How many photographs the server has refused, now or at an earlier visit. The upload page itself offers them. */
function useRefusedCount(owner: string): number {
  const [path] = useLocation();
  const isOffered = path.startsWith(paths.upload);
  const [refused, setRefused] = useState(0);
  useEffect(() => {
    if (isOffered) return undefined;
    let isGone = false;
    const count = () => {
      countRefusedShots(owner).then(
        (found) => !isGone && setRefused(found),
        () => undefined,
      );
    };
    count();
    const stop = waitingShots.subscribe(count);
    return () => {
      isGone = true;
      stop();
    };
  }, [owner, isOffered]);
  return isOffered ? 0 : refused;
}
