import { useMutation } from '@tanstack/react-query';
import { Images, RotateCcw, Ticket, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { RuledLine, RuledList } from '../../auth/web/settings/ruled-list.tsx';
import { Setting } from '../../auth/web/settings/setting.tsx';
import { mediumDate } from '../../base/date-formats.ts';
import { plural } from '../../base/number-texts.ts';
import { timeSince } from '../../base/relative-time.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { QueryContent } from '../../base/web/queries/query-content.tsx';
import { useConfirm } from '../../kit/web/feedback/confirm.tsx';
import { ErrorCard } from '../../kit/web/feedback/error-card.tsx';
import { Loading } from '../../kit/web/feedback/loading.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { trashFailureText } from '../../kit/web/feedback/trash-failure-text.ts';
import { Button } from '../../kit/web/forms/button.tsx';
import { focusMain } from '../../kit/web/layout/focus-main.ts';
import type { Trashed } from '../contract.ts';
import { useErase, useRestore, useTrash } from './queries.ts';

/** 'Recently deleted' in the settings: who deleted what and when, to restore it or delete it permanently (memories.trash.6). */
export function RecentlyDeleted() {
  const { busyId, putBack, erase } = useTrashActions();
  return (
    <Setting name="Recently deleted" subtitle="For 30 days it can be put back. Then it is gone for good.">
      <QueryContent
        query={useTrash()}
        loading={<Loading message="Looking for what we deleted..." size="small" />}
        error={(_, retry) => (
          <ErrorCard title={null} level={3} onRetry={retry}>
            Failed to load what was deleted. Please try again.
          </ErrorCard>
        )}
      >
        {(trash) =>
          trash.length === 0 ? (
            <p className="felt">Nothing deleted. Everything is where it belongs.</p>
          ) : (
            <RuledList>
              {trash.map((one) => (
                <Entry
                  key={one.id}
                  trashed={one}
                  busy={busyId === one.id}
                  onPutBack={() => putBack(one)}
                  onErase={() => erase(one)}
                />
              ))}
            </RuledList>
          )
        }
      </QueryContent>
    </Setting>
  );
}

interface EntryProps {
  readonly trashed: Trashed;
  readonly busy: boolean;
  readonly onPutBack: () => void;
  readonly onErase: () => void;
}

function Entry({ trashed, busy, onPutBack, onErase }: EntryProps) {
  const { kind, title, deletedAt, deletedBy, expiresAt, memoryCount } = trashed;
  const now = useNow();
  const what = kind === 'memory' ? 'A memory' : `A date with ${plural(memoryCount, 'memory', 'memories')}`;
  const when = timeSince(Date.parse(deletedAt), now);
  const gone = mediumDate(Date.parse(expiresAt), deviceZone());
  const id = useId();
  return (
    <RuledLine
      icon={kind === 'memory' ? <Images /> : <Ticket />}
      italic
      id={id}
      title={title}
      meta={
        <>
          {what}, deleted by <bdi>{deletedBy.displayName}</bdi> {when}; gone for good on {gone}
        </>
      }
      actions={
        <>
          <Button icon={<RotateCcw />} busy={busy} aria-describedby={id} onClick={onPutBack}>
            Put back
          </Button>
          <Button variant="text" icon={<Trash2 />} busy={busy} aria-describedby={id} onClick={onErase}>
            Delete now
          </Button>
        </>
      }
    />
  );
}

/** What is done with an entry. */
interface TrashAction {
  readonly work: 'restore' | 'erase';
  readonly entry: Trashed;
}

/** Restores entries, and deletes them permanently after a confirmation. `busyId` is the entry in progress. */
function useTrashActions() {
  const confirm = useConfirm();
  const notify = useNotify();
  const restore = useRestore();
  const eraseForGood = useErase();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ work, entry: { id } }: TrashAction) => {
      await (work === 'restore' ? restore(id) : eraseForGood(id));
    },
    onSuccess: (_, action) => {
      notify.status(doneText(action));
      focusMain();
    },
    onError: (error, { work }) => {
      const failed = work === 'restore' ? 'Failed to put it back.' : 'Failed to delete it.';
      notify.alert(trashFailureText(error, `${failed} Please try again.`));
    },
  });
  const erase = async (entry: Trashed) => {
    const { kind, memoryCount } = entry;
    const along =
      kind === 'memory' || memoryCount === 0 ? 'It' : `It and its ${plural(memoryCount, 'memory', 'memories')}`;
    const sure = await confirm({
      question: 'Are you sure you want to delete this for good?',
      detail: `${along} cannot be put back after that.`,
      verb: 'Delete',
    });
    if (sure) mutate({ work: 'erase', entry });
  };
  return {
    busyId: isPending ? variables.entry.id : null,
    putBack: (entry: Trashed) => mutate({ work: 'restore', entry }),
    erase: (entry: Trashed) => void erase(entry),
  };
}

function doneText({ work, entry }: TrashAction): string {
  if (work === 'erase') return 'Deleted for good.';
  return entry.kind === 'memory' ? 'The memory is back.' : 'The date and its memories are back.';
}
