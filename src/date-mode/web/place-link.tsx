import { MapPin } from 'lucide-react';
import { withoutLinks } from '../../base/links.ts';
import { CoupleText } from '../../kit/web/couple-text.tsx';
import { mapsUrl } from '../maps-url.ts';
import css from './date-mode-page.module.css';

/** The place, as a link that opens the device's maps. A web address in it is a link of its own. */
export function PlaceLink({ location }: { location: string }) {
  const place = withoutLinks(location);
  const maps = { href: mapsUrl(place, navigator.userAgent), target: '_blank', rel: 'noreferrer' };
  if (place === location) {
    return (
      <a className={css.place} {...maps}>
        <MapPin />
        <span className="written">{location}</span>
      </a>
    );
  }
  return (
    <p className={css.place}>
      {place !== '' && (
        <a className={css.pin} aria-label="Open in maps" {...maps}>
          <MapPin />
        </a>
      )}
      <span className="written">
        <CoupleText>{location}</CoupleText>
      </span>
    </p>
  );
}
