import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { deviceZone } from '../../base/web/device/device-zone.ts';
import { useNow } from '../../base/web/device/now.ts';
import { IndexCard } from '../../kit/web/album/index-card.tsx';
import { Announcement } from '../../kit/web/feedback/announcement.tsx';
import { Dialog, useDialog } from '../../kit/web/feedback/dialog.tsx';
import { useNotify } from '../../kit/web/feedback/notices.tsx';
import { Button, ButtonLink } from '../../kit/web/forms/button.tsx';
import { IconButton } from '../../kit/web/forms/icon-button.tsx';
import { paths } from '../../paths.ts';
import type { DateIdea } from '../contract.ts';
import { ideaAgeText } from '../idea-age-texts.ts';
import { CategoryTab } from './category-tab.tsx';
import css from './drawn-idea.module.css';
import { pickFailure, pickIdea } from './pick-idea.ts';

export interface DrawnIdeaProps {
  /** The idea that was drawn first. */
  readonly first: DateIdea;
  readonly onClose: () => void;
}

/** The card that 'Pick for us' drew: a modal dialog, with the rest of the deck under it (ideas.hearts.9). */
export function DrawnIdea({ first, onClose }: DrawnIdeaProps) {
  const titleId = useId();
  const dialog = useDialog();
  return (
    <Dialog ref={dialog} className={css.dialog} aria-labelledby={titleId} onClose={onClose}>
      <Deck first={first} titleId={titleId} close={() => dialog.current?.close()} />
    </Dialog>
  );
}

interface DeckProps {
  readonly first: DateIdea;
  readonly titleId: string;
  readonly close: () => void;
}

function Deck({ first, titleId, close }: DeckProps) {
  const notify = useNotify();
  const now = useNow();
  const [{ idea, draw, said }, setDrawn] = useState({ idea: first, draw: 1, said: '' });
  const [isPicking, setIsPicking] = useState(false);
  const pickAgain = async () => {
    setIsPicking(true);
    try {
      const next = await pickIdea(idea);
      // The last idea was deleted meanwhile.
      if (next === null) close();
      else {
        const said = next.id === idea.id ? `${next.title}, again` : next.title;
        setDrawn({ idea: next, draw: draw + 1, said });
      }
    } catch {
      notify.alert(pickFailure());
    }
    setIsPicking(false);
  };
  return (
    <div className={css.deck}>
      <div key={draw} className={css.card}>
        <IndexCard
          hue={idea.category}
          tab={<CategoryTab category={idea.category} />}
          over={idea.hearts.mutual ? 'Drawn from what we both want' : 'Drawn from all our ideas'}
          title={idea.title}
          titleId={titleId}
          corner={<IconButton label="Close" icon={<X />} onClick={close} />}
          text={idea.description}
          foot={ideaAgeText(idea, now, deviceZone())}
        />
      </div>
      <div className={css.actions}>
        <ButtonLink data-first variant="primary" href={paths.planDate(idea.id)} onClick={close}>
          Plan This Date
        </ButtonLink>
        <Button busy={isPicking} onClick={() => void pickAgain()}>
          Pick again
        </Button>
      </div>
      <Announcement>{said}</Announcement>
    </div>
  );
}
