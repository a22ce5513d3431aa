import { Section } from '../layout/section.tsx';
import { KeptWords, type KeptWordsProps } from './kept-words.tsx';

/** What we typed and could not save. It stays on this device until we discard it. */
export function UnsavedWords({ children, ...props }: KeptWordsProps) {
  return (
    <Section title="Words that were not saved">
      <KeptWords {...props}>
        <p>{children}</p>
      </KeptWords>
    </Section>
  );
}
