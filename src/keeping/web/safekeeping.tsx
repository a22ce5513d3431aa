import { useMutation } from '@tanstack/react-query';
import { Archive, Download, HeartCrack, ShieldAlert, ShieldCheck } from 'lucide-react';
import { Line, Lines, Setting } from '../../auth/web/settings/setting.tsx';
import { plural } from '../../base/text.ts';
import { longDate } from '../../base/time.ts';
import { asApiError } from '../../base/web/async.tsx';
import { deviceZone } from '../../base/web/now.ts';
import { Banner } from '../../kit/web/feedback/banner.tsx';
import { Button } from '../../kit/web/forms/button.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import type { KeepingStatus } from '../contract.ts';
import { keepingApi, useKeeping } from './queries.ts';

/** 'Safekeeping' of the settings: our export, and how what we have is kept from being lost. */
export function Safekeeping() {
  const { data } = useKeeping();
  return (
    <Setting name="Safekeeping" words="So that nothing of ours is lost">
      <Export />
      {data && (
        <Lines>
          <BackupLine {...data.backup} />
          <PhotographsLine {...data.scrub} />
          <SweepLine {...data.sweep} />
        </Lines>
      )}
    </Setting>
  );
}

function Export() {
  const startExport = useMutation({
    mutationFn: () => keepingApi('POST /api/export'),
    onSuccess: ({ url }) => download(url),
  });
  return (
    <>
      <p>
        Everything of ours in one file: the photographs as they came from our phones, an album that opens in any
        browser, and tables of our dates and ideas.
      </p>
      <Banner onDismiss={startExport.reset}>{startExport.error && asApiError(startExport.error).message}</Banner>
      <div>
        <Button icon={<Download />} busy={startExport.isPending} onClick={() => startExport.mutate()}>
          Export
        </Button>
      </div>
    </>
  );
}

/** Lets the browser download it: to the disk as it comes, however large it is. */
function download(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

function dayOf(instant: string): string {
  return longDate(Date.parse(instant), deviceZone());
}

function BackupLine({ isOn, verifiedAt, hasFailed }: KeepingStatus['backup']) {
  const last = verifiedAt === null ? 'No backup has been made yet' : `Backed up and verified on ${dayOf(verifiedAt)}`;
  const meta = hasFailed
    ? 'The last try went wrong. Whoever keeps our server finds the reason in its log.'
    : isOn
      ? 'Each night, on another disk'
      : 'No nightly backup is set up on our server.';
  return <Line icon={<Archive />} title={last} meta={meta} />;
}

function PhotographsLine({ doneAt, damaged }: KeepingStatus['scrub']) {
  if (damaged.length === 0) {
    const title = doneAt === null ? 'No photograph has been found damaged' : 'Every photograph is as we gave it';
    const meta = doneAt === null ? 'A few are looked at each hour' : `All looked at by ${dayOf(doneAt)}`;
    return <Line icon={<ShieldCheck />} title={title} meta={meta} />;
  }
  return (
    <Line
      icon={<HeartCrack />}
      title={`${plural(damaged.length, 'photograph')} ${damaged.length === 1 ? 'is' : 'are'} damaged`}
      meta={
        <>
          The disk of our server has changed or lost:{' '}
          {damaged.map(({ id, title, plannedDateId }, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <TextLink href={paths.memoriesOf(plannedDateId)}>{title}</TextLink>
            </span>
          ))}
          . A backup may still have it.
        </>
      }
    />
  );
}

/** Shown only where something is wrong: the server found files that it does not know, and deletes nothing by itself. */
function SweepLine({ stopped }: KeepingStatus['sweep']) {
  if (stopped === null) return null;
  return (
    <Line
      icon={<ShieldAlert />}
      title="Clearing up is stopped"
      meta="Our server's photographs and its database do not match, so it deletes nothing by itself. Whoever keeps our server finds the reason in its log."
    />
  );
}
