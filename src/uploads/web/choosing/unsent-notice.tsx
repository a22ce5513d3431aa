import { plural } from '../../../base/number-texts.ts';
import { Button } from '../../../kit/web/forms/button.tsx';
import { Actions } from '../../../kit/web/layout/actions.tsx';
import css from './upload-form.module.css';

/** Offers to restore unsent photos of an earlier visit. */
export function UnsentNotice(props: { count: number; onRestore: () => void; onDiscard: () => void }) {
  return (
    <section className={css.chosen} role="status">
      <div>
        <h2 className={css.count}>We kept {plural(props.count, 'photo')} for you</h2>
        <p className="aside">Selected last time on this device, and not yet saved.</p>
      </div>
      <Actions className={css.ways}>
        <Button onClick={props.onRestore}>Restore</Button>
        <Button variant="text" onClick={props.onDiscard}>
          Discard
        </Button>
      </Actions>
    </section>
  );
}
