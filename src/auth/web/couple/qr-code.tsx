import { encode } from 'uqr';
import { qrPath } from '../../qr-path.ts';
import css from './qr-code.module.css';

/** Light modules around the code: what its standard asks for. */
const QUIET = 4;

/** A text as a QR code for another phone's camera, dark on light in both schemes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  return (
    <div className={css.qr}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
        <path d={qrPath(data)} />
      </svg>
    </div>
  );
}
