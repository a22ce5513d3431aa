import { useState } from 'react';
import { DrawnBlankMedal } from '../../src/kit/web/album/drawn-blank-medal.tsx';
import { DrawnIndexCard } from '../../src/kit/web/album/drawn-index-card.tsx';
import { DrawnPrints } from '../../src/kit/web/album/drawn-prints.tsx';
import { DrawnTicket } from '../../src/kit/web/album/drawn-ticket.tsx';
import { Banner } from '../../src/kit/web/feedback/banner.tsx';
import { useConfirm } from '../../src/kit/web/feedback/confirm.tsx';
import { EmptyState } from '../../src/kit/web/feedback/empty-state.tsx';
import { ErrorCard } from '../../src/kit/web/feedback/error-card.tsx';
import { Loading } from '../../src/kit/web/feedback/loading.tsx';
import { useNotify } from '../../src/kit/web/feedback/notices.tsx';
import { IndexCardSkeletons, PrintSkeletons, TicketSkeletons } from '../../src/kit/web/feedback/skeleton.tsx';
import { Button, ButtonLink } from '../../src/kit/web/forms/button.tsx';
import { Section } from '../../src/kit/web/layout/section.tsx';

export function States() {
  const confirm = useConfirm();
  const notify = useNotify();
  const [wrong, setWrong] = useState(true);
  const [answer, setAnswer] = useState('not asked');
  const ask = async () => {
    const yes = await confirm({
      question: 'Are you sure you want to permanently delete this planned date?',
      detail: 'Its 14 memories will be deleted too. You can put it back from Recently deleted for 30 days.',
      verb: 'Delete',
    });
    setAnswer(yes ? 'deleted' : 'kept');
  };
  return (
    <>
      <Section title="Alert, status, question">
        <Banner onDismiss={() => setWrong(false)} more="What you wrote is still here.">
          {wrong && 'Failed to create date idea. Please try again.'}
        </Banner>
        <div className="kit-row">
          <Button onClick={ask}>Ask</Button>
          <Button onClick={() => notify.status('Date saved')}>Say</Button>
          <Button
            onClick={() => notify.status('Date deleted', { label: 'Undo', run: () => notify.status('Date put back') })}
          >
            Say with Undo
          </Button>
          <Button onClick={() => notify.alert('Failed to delete date. Please try again.')}>Alert</Button>
          <output data-testid="answer">{answer}</output>
        </div>
      </Section>
      <Section title="Nothing to show">
        <div className="kit-two">
          <ErrorCard level={3} onRetry={() => {}}>
            Failed to load dashboard. Please try again.
          </ErrorCard>
          <EmptyState
            drawing={<DrawnIndexCard />}
            actions={
              <>
                <ButtonLink variant="primary" href="/x">
                  Add Our First Idea
                </ButtonLink>
                <Button>Clear Filters</Button>
              </>
            }
          >
            No date ideas found for “submarine”.
          </EmptyState>
          <EmptyState drawing={<DrawnTicket />} actions={<Button variant="primary">Plan Our First Date</Button>}>
            No dates planned yet! Start by browsing date ideas and planning our first romantic moment.
          </EmptyState>
          <EmptyState
            drawing={<DrawnPrints />}
            title="No Memories Yet"
            level={3}
            actions={<Button variant="primary">Upload Our First Memory</Button>}
          >
            No memories yet! Upload our first photo to start building our gallery.
          </EmptyState>
          <EmptyState drawing={<DrawnBlankMedal />} title="Our Journey Starts Here!" level={3}>
            One date, and the first medal is ours.
          </EmptyState>
        </div>
      </Section>
      <Section title="Loading">
        <Loading message="Loading our love story..." />
        <Loading message="Saving..." size="small" />
        <TicketSkeletons count={2} />
        <IndexCardSkeletons count={3} />
        <PrintSkeletons />
      </Section>
    </>
  );
}
