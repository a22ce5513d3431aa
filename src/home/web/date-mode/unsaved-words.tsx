import { KeptWords, type KeptWordsProps } from '../../../kit/web/feedback/kept-words.tsx';
import { Section } from '../../../kit/web/layout/section.tsx';

/** What we typed during a date and could not save. It stays on this device until we discard it. */
export function UnsavedWords({ children, ...props }: KeptWordsProps) {
  return (
    <Section title="Words that were not saved">
      <KeptWords {...props}>
        <p>{children}</p>
      </KeptWords>
    </Section>
  );
}
