import { useMutation } from '@tanstack/react-query';
import { Archive, Download, HeartCrack, ShieldAlert, ShieldCheck } from 'lucide-react';
import { RuledLine, RuledList } from '../../auth/web/settings/ruled-list.tsx';
import { Setting } from '../../auth/web/settings/setting.tsx';
import { longDate } from '../../base/date-formats.ts';
import { plural } from '../../base/number-texts.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { downloadUrl } from '../../base/web/device/download.ts';
import { asApiError } from '../../base/web/net/api-error.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import { SpaceLine } from '../../uploads/web/quota/space-line.tsx';
import type { KeepingStatus } from '../contract.ts';
import { keepingApi, useKeeping } from './queries.ts';

/** The 'Safekeeping' section of the settings: the export, the state of backups and photographs, and the quota. */
export function Safekeeping() {
  const { data } = useKeeping();
  return (
    <Setting name="Safekeeping" subtitle="Backups and a copy of your own">
      <Export />
      {data && (
        <RuledList>
          <BackupLine {...data.backup} />
          <PhotographsLine {...data.scrub} />
          <SpaceLine />
          <SweepLine {...data.sweep} />
        </RuledList>
      )}
    </Setting>
  );
}

function Export() {
  const startExport = useMutation({
    mutationFn: () => keepingApi('POST /api/export'),
    onSuccess: ({ url }) => downloadUrl(url),
  });
  return (
    <>
      <p>
        Everything in one file: our original photographs, an album that opens in any browser, and tables of our dates
        and ideas.
      </p>
      <Banner onDismiss={startExport.reset}>{startExport.error && asApiError(startExport.error).message}</Banner>
      <div>
        <Button icon={<Download />} busy={startExport.isPending} onClick={() => startExport.mutate()}>
          Export
        </Button>
      </div>
      <TextLink href={paths.print}>Print our album</TextLink>
    </>
  );
}

function dayOf(instant: string): string {
  return longDate(Date.parse(instant), deviceZone());
}

function BackupLine({ isOn, verifiedAt, hasFailed }: KeepingStatus['backup']) {
  const last = verifiedAt === null ? 'No backup has been made yet' : `Backed up and verified on ${dayOf(verifiedAt)}`;
  const meta = hasFailed
    ? 'The last backup failed. The server log has the reason.'
    : isOn
      ? 'Every night, to another disk'
      : 'No nightly backup is set up on our server.';
  return <RuledLine icon={<Archive />} title={last} meta={meta} />;
}

function PhotographsLine({ doneAt, damaged }: KeepingStatus['scrub']) {
  if (damaged.length === 0) {
    const title = doneAt === null ? 'No damaged photographs found' : 'Every photograph is intact';
    const meta = doneAt === null ? 'A few are checked every hour' : `All checked by ${dayOf(doneAt)}`;
    return <RuledLine icon={<ShieldCheck />} title={title} meta={meta} />;
  }
  return (
    <RuledLine
      icon={<HeartCrack />}
      title={`${plural(damaged.length, 'photograph')} ${damaged.length === 1 ? 'is' : 'are'} damaged`}
      meta={
        <>
          Our server’s disk has changed or lost:{' '}
          {damaged.map(({ id, title, plannedDateId }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <TextLink href={paths.memoriesOf(plannedDateId)}>{title}</TextLink>
            </span>
          ))}
          . A backup may still have a good copy.
        </>
      }
    />
  );
}

/** Shown only while the server has a photo store that isn't the one of its database. */
function SweepLine({ stopped }: KeepingStatus['sweep']) {
  if (stopped === null) return null;
  return (
    <RuledLine
      icon={<ShieldAlert />}
      title="No photograph can be saved"
      meta="Our server’s photographs and its database don’t match, so it takes no new photographs and deletes none. The server log has the reason."
    />
  );
}
