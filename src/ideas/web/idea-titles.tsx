import type { DateIdea } from '../contract.ts';

/** The titles of our ideas, which a text field with this id in `list` suggests, each once. */
export function IdeaTitles({ id, ideas }: { id: string; ideas: readonly DateIdea[] }) {
  return (
    <datalist id={id}>
      {[...new Set(ideas.map(({ title }) => title))].map((title) => (
        <option key={title}>{title}</option>
      ))}
    </datalist>
  );
}
