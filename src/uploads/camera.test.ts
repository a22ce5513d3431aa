import { expect, it } from 'vitest';
import { cameraFault, captureName, isMobile, modeLabel } from './camera.ts';

it('explains why a camera does not start', { tags: ['uploads.camera.6'] }, () => {
  const texts = {
    NotAllowedError: 'Camera access denied. Please allow camera permissions and try again.',
    NotFoundError: 'No camera found on this device.',
    NotSupportedError: 'Camera is not supported on this device.',
    NotReadableError: 'Camera is already in use by another application.',
    OverconstrainedError: 'Failed to access camera. Please check your permissions and try again.',
  };
  for (const [name, text] of Object.entries(texts)) expect(cameraFault(name)).toBe(text);
});

it('names the camera and its photos', { tags: ['uploads.camera.2'] }, () => {
  expect([modeLabel('environment'), modeLabel('user')]).toEqual(['Back Camera', 'Front Camera']);
  expect(captureName(1763734800000, 2)).toBe('captured-memory-1763734800000-2.jpg');
});

it('offers to switch cameras only on phones and tablets', { tags: ['uploads.camera.3'] }, () => {
  const phone = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36';
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15';
  expect(isMobile(phone, 5)).toBe(true);
  expect(isMobile(mac, 5)).toBe(true);
  expect(isMobile(mac, 0)).toBe(false);
  expect(isMobile('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/156.0.0.0', 10)).toBe(false);
});
