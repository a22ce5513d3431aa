import css from './story-pages.module.css';

/** Two opened letters in their envelopes, tied by one thread. Decorative. */
export function DrawingOfLetters() {
  return (
    <svg className={`${css.letters} drawn`} viewBox="0 0 320 230" aria-hidden="true">
      <g transform="rotate(-6 130 100)">
        <path className={css.letter} d="M48 18h180v104H48z" />
        <path className={css.line} d="M68 40h112M68 58h138M68 76h90" />
        <path className={css.envelope} d="M28 70h220v134H28z" />
        <path className={css.flap} d="M28 70l96 70c8 6 20 6 28 0l96-70" />
      </g>
      <g transform="translate(58 34) rotate(5 140 100)">
        <path className={css.letter} d="M50 22h176v96H50z" />
        <path className={css.line} d="M70 44h132M70 62h96" />
        <path className={css.envelope} d="M30 68h216v126H30z" />
        <path className={css.flap} d="M30 68l94 66c8 6 20 6 28 0l94-66" />
      </g>
      <path
        className={css.tie}
        d="M6 186c42-14 64 10 104 0 32-8 26-36 4-30-24 7-8 40 34 34 48-7 62-26 98-18 30 7 46 24 72 8"
      />
    </svg>
  );
}
