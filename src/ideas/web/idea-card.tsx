import { useId } from 'react';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { IndexCard } from '../../kit/web/album/index-card.tsx';
import { Badge } from '../../kit/web/feedback/badge.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { paths } from '../../paths.ts';
import type { DateIdea } from '../contract.ts';
import { ideaAgeText } from '../idea-age-texts.ts';
import { ideaBadges } from '../idea-badges.ts';
import { BothMark } from './both-mark.tsx';
import { CategoryTab } from './category-tab.tsx';
import { HeartButton } from './heart-button.tsx';

/** The usual height of a card in pixels, before it is measured. */
export const IDEA_CARD_HEIGHT = 310;

/** The rose of Romantic: of all hues, it stands out most. */
const NEW_HUE = 'Romantic';

export interface IdeaCardProps {
  readonly idea: DateIdea;
  /** Asks for confirmation and deletes the idea. */
  readonly onDelete: (idea: DateIdea) => void;
  readonly deleting: boolean;
  /** Puts the user's heart on the idea, or takes it back. */
  readonly onHeart: (idea: DateIdea) => void;
}

/** A date idea in the list: badges, hearts, when it was last planned, and actions. */
export function IdeaCard({ idea, onDelete, deleting, onHeart }: IdeaCardProps) {
  const titleId = useId();
  const now = useNow();
  const zone = deviceZone();
  const edit = paths.editIdea(idea.id);
  const badges = ideaBadges(idea, now, zone);
  return (
    <IndexCard
      hue={idea.category}
      tab={<CategoryTab category={idea.category} />}
      title={idea.title}
      titleId={titleId}
      corner={<HeartButton idea={idea} titleId={titleId} onPress={onHeart} />}
      mark={idea.hearts.mutual && <BothMark />}
      badges={
        (badges.length > 0 || !idea.isActive) && (
          <>
            {!idea.isActive && <Badge hue="cancelled">Inactive</Badge>}
            {badges.map((badge) => (
              <Badge key={badge} hue={badge === 'New' ? NEW_HUE : undefined}>
                {badge}
              </Badge>
            ))}
          </>
        )
      }
      text={idea.description}
      foot={ideaAgeText(idea, now, zone)}
      inactive={!idea.isActive}
      actions={
        idea.isActive ? (
          <ButtonLink href={paths.planDate(idea.id)}>Plan This Date</ButtonLink>
        ) : (
          <ButtonLink href={edit}>Edit</ButtonLink>
        )
      }
      rare={
        <>
          {idea.isActive && (
            <ButtonLink variant="text" href={edit}>
              Edit
            </ButtonLink>
          )}
          <Button variant="text" busy={deleting} onClick={() => onDelete(idea)}>
            Delete
          </Button>
        </>
      }
    />
  );
}
