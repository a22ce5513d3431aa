import { useLocation } from 'wouter';
import { useUser } from '../../auth/web/session/use-session.ts';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { DrawnPrints } from '../../kit/web/album/drawn-prints.tsx';
import { FailedPage } from '../../kit/web/feedback/failed-page.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { StaleEdit } from '../../kit/web/forms/stale-edit.tsx';
import { useVersionedEdit, type Versioned } from '../../kit/web/forms/use-versioned-edit.ts';
import { Leaf } from '../../kit/web/layout/leaf.tsx';
import { Masthead } from '../../kit/web/layout/masthead.tsx';
import { Section } from '../../kit/web/layout/section.tsx';
import { Spread } from '../../kit/web/layout/spread.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';
import { completeBody, completeErrors, completeFormOf } from '../complete-form.ts';
import type { PlannedDate } from '../contract.ts';
import { isHidden } from '../is-hidden.ts';
import { notesPath } from '../notes-path.ts';
import { isAllowed, REFUSED } from '../rules.ts';
import css from './complete.module.css';
import { CompleteDateForm } from './complete-date-form.tsx';
import { CompleteSummary } from './complete-summary.tsx';
import { dateDifferences } from './date-differences.ts';
import { DateFormPage } from './date-form-page.tsx';
import { DateTicket } from './date-ticket.tsx';
import { refusalOf } from './explain-failure.ts';
import { useCompleteDate, useFreshDate } from './queries.ts';
import { SurpriseRefusedPage } from './surprise/surprise-refused-page.tsx';

/** /planned-dates/{id}/complete. */
export default function CompleteDatePage() {
  return (
    <DateFormPage>
      {(opened) =>
        isHidden(opened.entity) ? (
          <SurpriseRefusedPage date={opened.entity} />
        ) : isAllowed(opened.entity.status, 'complete') ? (
          <CompleteDate opened={opened} />
        ) : (
          <FailedPage back={{ href: paths.date(opened.entity.id), label: 'View Details' }}>
            {REFUSED.complete}
          </FailedPage>
        )
      }
    </DateFormPage>
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
        <StaleEdit edit={edit} differences={(theirs) => dateDifferences(theirs, base, deviceZone())} />
        <CompleteSummary date={base} control={form.control} />
      </Leaf>
      <Leaf>
        <Section title="When did it end?">
          <CompleteDateForm date={base} edit={edit} />
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
