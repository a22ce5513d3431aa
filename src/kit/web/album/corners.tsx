import css from './corners.module.css';

/** Four paper corners over a positioned parent. */
export function Corners() {
  return (
    <span className={css.corners} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </span>
  );
}
