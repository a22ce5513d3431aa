import { RotateCcw } from 'lucide-react';
import { DrawnIndexCard } from '../../kit/web/album/drawn-index-card.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { Page } from '../../kit/web/layout/page.tsx';
import { paths } from '../../paths.ts';

interface UnplannableIdeaProps {
  readonly title: string;
  readonly verb: string;
  readonly busy: boolean;
  readonly onPress: () => void;
  readonly edit?: string;
  readonly children: string;
}

/** A page with one press that makes it possible to plan a date from an idea. */
export function UnplannableIdea({ title, verb, busy, onPress, edit, children }: UnplannableIdeaProps) {
  return (
    <Page>
      <EmptyState
        drawing={<DrawnIndexCard />}
        title={title}
        level={1}
        actions={
          <>
            <Button variant="primary" icon={<RotateCcw />} busy={busy} onClick={onPress}>
              {verb}
            </Button>
            {edit && <ButtonLink href={edit}>Edit</ButtonLink>}
            <ButtonLink href={paths.ideas}>Back to Date Ideas</ButtonLink>
          </>
        }
      >
        {children}
      </EmptyState>
    </Page>
  );
}
