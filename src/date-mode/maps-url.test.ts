import { expect, it } from 'vitest';
import { mapsUrl } from './maps-url.ts';

it.each([
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10)', 'geo:0,0?q=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)', 'https://maps.apple.com/?q=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  ['Mozilla/5.0 (Windows NT 10.0)', 'https://www.google.com/maps/search/?api=1&query=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
  [null, 'https://www.google.com/maps/search/?api=1&query=Caf%C3%A9%20%26%20Bar%2C%20Turin'],
])('the place opens in the maps of the device: %s', { tags: ['datemode.2'] }, (userAgent, url) => {
  expect(mapsUrl('Café & Bar, Turin', userAgent)).toBe(url);
});
