import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { useId, useState } from 'react';
import { longDate } from '../../../base/date-formats.ts';
import { timeSince } from '../../../base/relative-time.ts';
import { deviceZone } from '../../../base/web/device/device-zone.ts';
import { useNow } from '../../../base/web/device/now.ts';
import { QueryContent } from '../../../base/web/queries/query-content.tsx';
import { ErrorCard } from '../../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../../kit/web/feedback/notices.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import type { Device } from '../../contract.ts';
import { authApi, sessionKeys, useDevices } from '../queries.ts';
import { RuledLine, RuledList } from './ruled-list.tsx';

/** Devices shown before 'Show more', so that a long list doesn't push the next settings far down. */
const SHOWN_AT_FIRST = 5;

/** The list of this user's devices. The other ones can be signed out here. */
export function Devices() {
  return (
    <QueryContent
      query={useDevices()}
      loading={<Loading message="Loading your devices..." size="small" />}
      error={(_, retry) => (
        <ErrorCard level={3} onRetry={retry}>
          Failed to load your devices. Please try again.
        </ErrorCard>
      )}
    >
      {(devices) => <DeviceLines devices={devices.toSorted(currentFirst)} />}
    </QueryContent>
  );
}

function DeviceLines({ devices }: { devices: readonly Device[] }) {
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll || devices.length <= SHOWN_AT_FIRST + 1 ? 0 : devices.length - SHOWN_AT_FIRST;
  return (
    <>
      <RuledList>
        {devices.slice(0, devices.length - hidden).map((device) => (
          <DeviceLine key={device.id} device={device} />
        ))}
      </RuledList>
      {hidden > 0 && (
        <Button variant="text" onClick={() => setShowsAll(true)}>
          Show {hidden} more devices
        </Button>
      )}
    </>
  );
}

function currentFirst(one: Device, other: Device): number {
  return Number(other.current) - Number(one.current);
}

function DeviceLine({ device }: { device: Device }) {
  const id = useId();
  const now = useNow();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => authApi('DELETE /api/auth/sessions/{id}', { params: { id: device.id } }),
    onSuccess: () => notify.status(`Signed out on ${device.device}`),
    onError: () => notify.alert('Failed to sign the device out. Please try again.'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionKeys.devices }),
  });
  return (
    <RuledLine
      id={id}
      icon={/phone|android|ios|ipad/i.test(device.device) ? <Smartphone /> : <Laptop />}
      title={device.device}
      meta={
        device.current ? (
          <>
            <b>This device</b> · since {longDate(Date.parse(device.createdAt), deviceZone())}
          </>
        ) : (
          `last used ${timeSince(Date.parse(device.lastUsedAt), now)}`
        )
      }
      actions={
        !device.current && (
          <Button variant="text" aria-describedby={id} busy={end.isPending} onClick={() => end.mutate()}>
            Sign out
          </Button>
        )
      }
    />
  );
}
