import { encode } from 'uqr';
import { qrPath } from '../../qr-path.ts';
import css from './qr-code.module.css';

/** Light modules around the code, as the standard requires. */
const QUIET_ZONE = 4;

/** Renders a text as a QR code, dark on light in both color schemes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  return (
    <div className={css.qr}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
        <path d={qrPath(data)} />
      </svg>
    </div>
  );
}
