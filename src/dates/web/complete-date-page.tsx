import { useLocation, useParams } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/now.ts';
import { FormLoader } from '../../base/web/forms/form-loader.tsx';
import { DrawnPrints } from '../../kit/web/album/drawn-prints.tsx';
import { ErrorCard } from '../../kit/web/feedback/empty-state.tsx';
import { TicketSkeletons } from '../../kit/web/feedback/skeleton.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { StaleEdit } from '../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../kit/web/forms/versioned-edit.ts';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Leaf, Page, Spread } from '../../kit/web/layout/page.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import { completeBody, completeErrors, completeFormOf } from '../complete-rules.ts';
import type { PlannedDate } from '../contract.ts';
import { notesPath } from '../notes-path.ts';
import { isAllowed, REFUSED } from '../rules.ts';
import { isHidden } from '../surprise-texts.ts';
import css from './complete.module.css';
import { CompleteDateForm } from './complete-form.tsx';
import { CompleteSummary } from './complete-summary.tsx';
import { dateDifferences } from './date-differences.ts';
import { DateTicket } from './date-ticket.tsx';
import { refusalOf } from './explain-failure.ts';
import { useCompleteDate, useDate, useFreshDate } from './queries.ts';
import { SurpriseRefusedPage } from './surprise/surprise-refused-page.tsx';

/** /planned-dates/{id}/complete. */
export default function CompleteDatePage() {
  const id = useParams<{ id: string }>().id.trim();
  const query = useDate(id);
  if (id === '') return <LoadFailed>No date ID provided.</LoadFailed>;
  return (
    <FormLoader
      query={query}
      loading={
        <Page busy>
          <TicketSkeletons message="Loading date details..." count={1} />
        </Page>
      }
      error={({ status }, retry) => (
        <LoadFailed onRetry={retry}>
          {status === 404 ? 'Date not found.' : 'Failed to load date details. Please try again.'}
        </LoadFailed>
      )}
    >
      {(opened) =>
        isHidden(opened.entity) ? (
          <SurpriseRefusedPage date={opened.entity} />
        ) : isAllowed(opened.entity.status, 'complete') ? (
          <CompleteDate opened={opened} />
        ) : (
          <LoadFailed date={opened.entity}>{REFUSED.complete}</LoadFailed>
        )
      }
    </FormLoader>
  );
}

/** 'Cancel' leads to the details, or to the list if there is no date (dates.complete.5). */
function LoadFailed({ children, onRetry, date }: { children: string; onRetry?: () => void; date?: PlannedDate }) {
  const back = date
    ? { href: paths.date(date.id), name: 'View Details' }
    : { href: paths.dates, name: 'Back to Our Dates' };
  return (
    <Page>
      <ErrorCard level={1} onRetry={onRetry} actions={<ButtonLink href={back.href}>{back.name}</ButtonLink>}>
        {children}
      </ErrorCard>
    </Page>
  );
}

function CompleteDate({ opened }: { opened: Versioned<PlannedDate> }) {
  const edit = useCompletion(opened);
  const { base, form } = edit;
  const { id } = base;
  return (
    <Spread>
      <Leaf>
        <Masthead
          title="Complete Date"
          subtitle="Before it blurs: when did it end, and what do we want to remember?"
          back={{ href: paths.date(id), label: 'Back to the date' }}
        />
        <DateTicket date={base} large brief />
        {edit.theirs && (
          <StaleEdit
            theirs={dateDifferences(edit.theirs, base, deviceZone())}
            busy={edit.isSending}
            onOverwrite={edit.overwrite}
            onTakeTheirs={edit.takeTheirs}
          />
        )}
        <CompleteSummary date={base} control={form.control} />
      </Leaf>
      <Leaf>
        <Section title="When did it end?">
          <CompleteDateForm
            date={base}
            form={form}
            formProps={edit.formProps}
            failure={edit.failure}
            onDismiss={edit.dismiss}
          />
        </Section>
        <NextSteps id={id} />
      </Leaf>
    </Spread>
  );
}

function useCompletion(opened: Versioned<PlannedDate>) {
  const { id } = opened.entity;
  const zone = deviceZone();
  const [, navigate] = useLocation();
  const completeDate = useCompleteDate(id);
  return useVersionedEdit({
    opened,
    owner: useUser().id,
    isGuarded: true,
    formOf: (date) => completeFormOf(date, zone),
    // Keep the typed end time: the partner's version has none.
    keep: ['actualEndTime'],
    faults: (form, base) => completeErrors(form, base, Date.now(), zone),
    save: (form, base, ifMatch) => completeDate({ body: completeBody(form, base, zone), ifMatch }),
    fetchNow: useFreshDate(id),
    explain: (error) => {
      if (error.status === 404) return 'Date not found.';
      if (error.status === 409) return REFUSED.complete;
      return refusalOf(error) ?? 'Failed to complete date. Please try again.';
    },
    onSaved: () => navigate(`${paths.date(id)}?completed=true`),
  });
}

/** The next-steps card. */
function NextSteps({ id }: { id: string }) {
  return (
    <section className={css.next} aria-labelledby="next-steps">
      <DrawnPrints />
      <div>
        <h2 id="next-steps">And then, the photographs</h2>
        <p className="aside">A date is remembered by its pictures. There is room for all of them.</p>
        <ButtonLink href={paths.uploadFromComplete(id)}>Add Photos &amp; Memories</ButtonLink>
        <p className="aside">And a note each, sealed until we have both written.</p>
        <TextLink href={notesPath(id)}>What I want to remember</TextLink>
      </div>
    </section>
  );
}
