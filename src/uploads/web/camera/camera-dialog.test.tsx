import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { memoryLimits } from '../../../memories/rules.ts';
import { CameraDialog } from './camera-dialog.tsx';

const PHONE = 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36';

const camera = page.getByRole('dialog', { name: 'Take Photo' });
const shutter = camera.getByRole('button', { name: 'Capture photo' });
let getUserMedia: MockInstance<MediaDevices['getUserMedia']>;

beforeEach(() => {
  getUserMedia = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
});
afterEach(() => vi.restoreAllMocks());

/** Shows the camera beside this many photos that are selected already. */
async function openCamera(held = 0) {
  const photos: File[] = [];
  const onClose = vi.fn<() => void>();
  const { unmount } = await render(
    <CameraDialog held={held} onCapture={(photo) => photos.push(photo)} onClose={onClose} />,
  );
  return { photos, onClose, unmount };
}

/** For each stream that was opened, whether the camera still records for it. */
async function liveStreams(): Promise<boolean[]> {
  const streams = await Promise.all(getUserMedia.mock.results.map(({ value }) => value as Promise<MediaStream>));
  return streams.map((stream) => stream.getTracks().some(({ readyState }) => readyState === 'live'));
}

describe('the camera', () => {
  it('requests the back camera at 1920 by 1080', { tags: ['uploads.camera.1'] }, async () => {
    await openCamera();
    await expect.element(camera.getByText('Back Camera')).toBeVisible();
    expect(getUserMedia.mock.calls).toEqual([
      [{ video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } }, audio: false }],
    ]);
  });

  it('makes JPEGs of quality 0.9, and flashes', { tags: ['uploads.camera.2'] }, async () => {
    const toBlob = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob');
    const { photos } = await openCamera();
    await shutter.click();
    await expect.element(camera.getByText('1 captured')).toBeVisible();
    expect(toBlob.mock.calls[0]?.slice(1)).toEqual(['image/jpeg', 0.9]);
    expect(photos.map(({ type }) => type)).toEqual(['image/jpeg']);
    // The flash covers the live picture and is hidden from screen readers.
    expect(camera.element().querySelectorAll('video + span[aria-hidden="true"]')).toHaveLength(1);
  });

  it('counts both photos of two quick presses', { tags: ['uploads.camera.2'] }, async () => {
    const { photos } = await openCamera();
    await expect.element(shutter).toBeEnabled();
    // The second press comes before the first photo is encoded.
    for (let press = 0; press < 2; press += 1) (shutter.element() as HTMLElement).click();
    await expect.element(camera.getByText('2 captured')).toBeVisible();
    expect(photos.map(({ name }) => name.replace(/\d{6,}/, 'now'))).toEqual([
      'captured-memory-now-1.jpg',
      'captured-memory-now-2.jpg',
    ]);
  });

  it('switches to the other camera on a phone', { tags: ['uploads.camera.3'] }, async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(PHONE);
    await openCamera();
    await expect.element(shutter).toBeEnabled();
    await camera.getByRole('button', { name: 'Switch camera' }).click();
    await expect.element(camera.getByText('Front Camera')).toBeVisible();
    await expect.poll(liveStreams).toEqual([false, true]);
    const facings = getUserMedia.mock.calls.map(
      ([asked]) => (asked?.video as MediaTrackConstraints | undefined)?.facingMode,
    );
    expect(facings).toEqual(['environment', 'user']);
  });

  it('offers no switch on a desktop', { tags: ['uploads.camera.3'] }, async () => {
    await openCamera();
    await expect.element(camera.getByText('Back Camera')).toBeVisible();
    expect(camera.getByRole('button', { name: 'Switch camera' }).elements()).toEqual([]);
  });

  it('is closed by Escape', { tags: ['uploads.camera.4'] }, async () => {
    const { onClose } = await openCamera();
    await expect.element(shutter).toBeEnabled();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => onClose.mock.calls).toHaveLength(1);
  });

  it('stops recording when it is left', { tags: ['uploads.camera.4'] }, async () => {
    const { unmount } = await openCamera();
    await expect.element(shutter).toBeEnabled();
    expect(await liveStreams()).toEqual([true]);
    await unmount();
    await expect.poll(liveStreams).toEqual([false]);
  });

  it('takes no more than a hundred photos', { tags: ['uploads.camera.5'] }, async () => {
    await openCamera(memoryLimits.files);
    await expect.element(camera.getByText('Maximum files reached (100)')).toBeVisible();
    await expect.element(shutter).toBeDisabled();
  });

  it('says that there is no picture yet', async () => {
    vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(0);
    await openCamera();
    await shutter.click();
    await expect.element(camera.getByText('Camera elements not found. Please try again.')).toBeVisible();
  });

  it.each([
    ['NotAllowedError', 'Camera access denied. Please allow camera permissions and try again.'],
    ['NotFoundError', 'No camera found on this device.'],
    ['NotSupportedError', 'Camera is not supported on this device.'],
    ['NotReadableError', 'Camera is already in use by another application.'],
    ['AbortError', 'Failed to access camera. Please check your permissions and try again.'],
  ])('explains an error (%s), and retries', { tags: ['uploads.camera.6'] }, async (name, text) => {
    getUserMedia.mockRejectedValueOnce(new DOMException('no', name));
    await openCamera();
    await expect.element(camera.getByRole('alert').getByText(text, { exact: true })).toBeVisible();
    await expect.element(shutter).toBeDisabled();
    await camera.getByRole('button', { name: 'Retry' }).click();
    await shutter.click();
    await expect.element(camera.getByText('1 captured')).toBeVisible();
  });

  it('says that a browser does not support cameras', { tags: ['uploads.camera.6'] }, async () => {
    vi.spyOn(navigator, 'mediaDevices', 'get').mockReturnValue(undefined as unknown as MediaDevices);
    await openCamera();
    await expect.element(camera.getByText('Camera is not supported on this device or browser.')).toBeVisible();
  });

  it('reports that it has no canvas', { tags: ['uploads.camera.6'] }, async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
    await openCamera();
    await shutter.click();
    await expect.element(camera.getByText('Could not get canvas context. Please try again.')).toBeVisible();
  });

  it('reports a photo that cannot be encoded', { tags: ['uploads.camera.6'] }, async () => {
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(null));
    await openCamera();
    await shutter.click();
    await expect.element(camera.getByText('Failed to capture photo. Please try again.')).toBeVisible();
  });
});
