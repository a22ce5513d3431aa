import { DrawnPrints } from '../../kit/web/album/drawn-prints.tsx';
import { EmptyState } from '../../kit/web/feedback/empty-state.tsx';
import { ButtonLink } from '../../kit/web/forms/button.tsx';
import { TextLink } from '../../kit/web/layout/text-link.tsx';
import { paths } from '../../paths.ts';

/** What the section of the newest memories shows without any. @param hasPastLink whether it links to a past date */
export function NoMemories({ hasPastLink }: { hasPastLink: boolean }) {
  return (
    <EmptyState
      drawing={<DrawnPrints />}
      actions={
        <>
          <ButtonLink href={paths.upload}>Upload Memory</ButtonLink>
          <TextLink href={paths.memories}>View All</TextLink>
          {hasPastLink && <TextLink href={paths.pastDate}>Add a Past Date</TextLink>}
        </>
      }
    >
      No memories yet!
    </EmptyState>
  );
}
