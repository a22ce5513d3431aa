import { useId, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { plural } from '../../../base/text.ts';
import dialogCss from '../../../kit/web/feedback/dialog.module.css';
import { useModal } from '../../../kit/web/feedback/use-modal.ts';
import { Button, buttonClass } from '../../../kit/web/forms/button.tsx';
import css from './rescue-shots.module.css';

/**
 * Offers photographs that exist only on this page as files, when the session has ended and the page is about to be
 * replaced. It has its own root, because the screens are gone by then. It shows none of them, since somebody else may
 * find the device (decision 30). Resolves when the user goes on.
 */
export function rescueShots(shots: readonly File[]): Promise<void> {
  const place = document.body.appendChild(document.createElement('div'));
  return new Promise((resolve) => {
    createRoot(place).render(<RescueDialog shots={shots} onDone={resolve} />);
  });
}

function RescueDialog({ shots, onDone }: { shots: readonly File[]; onDone: () => void }) {
  const dialog = useModal();
  const id = useId();
  const [links] = useState(() => shots.map((file) => ({ name: file.name, url: URL.createObjectURL(file) })));
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set());
  const isSaved = saved.size === links.length;
  const them = links.length === 1 ? 'it' : 'them';
  return (
    <dialog
      ref={dialog}
      className={dialogCss.dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-words`}
      onClose={({ currentTarget }) => {
        // Escape must not lose anything.
        if (currentTarget.returnValue === 'done') onDone();
        else currentTarget.showModal();
      }}
    >
      <h2 className={dialogCss.question} id={`${id}-title`}>
        Our session has ended
      </h2>
      <p className={dialogCss.detail} id={`${id}-words`}>
        {plural(links.length, 'photograph')} that we took {links.length === 1 ? 'is' : 'are'} only on this page. Please
        save {them} as {links.length === 1 ? 'a file' : 'files'} before you sign in again, and upload {them} then.
      </p>
      <ul className={css.files}>
        {links.map(({ name, url }, index) => (
          <li key={url}>
            <a
              className={buttonClass({ wide: true })}
              href={url}
              download={name}
              onClick={() => setSaved((before) => new Set([...before, url]))}
            >
              {saved.has(url) ? `Saved photograph ${index + 1}` : `Save photograph ${index + 1}`}
            </a>
          </li>
        ))}
      </ul>
      <div className={dialogCss.actions}>
        <Button variant={isSaved ? 'primary' : 'text'} onClick={() => dialog.current?.close('done')}>
          {isSaved ? 'Sign in again' : `Go on without ${them}`}
        </Button>
      </div>
    </dialog>
  );
}
