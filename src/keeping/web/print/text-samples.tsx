import css from './printed-page.module.css';

/** A paragraph of each kind of text, for its font: of a caption, a date's notes, a letter, and its signature. */
export function TextSamples() {
  return [css.caption, css.words, css.letter, css.signature].map((name) => <p key={name} className={name} />);
}
