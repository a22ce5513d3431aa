import { describe, expect, it } from 'vitest';
import { FAKE_CAMERA, keepNotices, type WindowOptions } from '../../support/browser.ts';
import { completeDate } from '../../support/factories.ts';
import { useCouple } from '../../support/use-app.ts';
import { showFrame } from '../take-photos.ts';
import { choose, countOf, photo, save } from '../upload-page.ts';

describe('the camera', () => {
  const us = useCouple({ args: FAKE_CAMERA });

  const open = async (path = '/memories/upload', options: WindowOptions = {}) => {
    const page = await us.open(options);
    // After an upload, the page says so for two seconds.
    await keepNotices(page, 2_000);
    await page.goto(path);
    await page.getByText('Drag and drop').waitFor();
    return { page, camera: page.getByRole('dialog', { name: 'Take Photo' }) };
  };

  it('takes several photos, which are uploaded like any others', {
    tags: ['uploads.choosing.3', 'uploads.camera.1', 'uploads.camera.2', 'uploads.camera.4'],
  }, async () => {
    const date = await completeDate(us.ada, { at: '2026-11-20T14:00:00Z', minutes: 60 });
    const { page, camera } = await open(`/memories/upload/${date.id}`);
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByText('Back Camera').waitFor();
    const shutter = camera.getByRole('button', { name: 'Capture photo' });
    await shutter.click();
    await camera.getByText('1 captured').waitFor();
    await shutter.click();
    await camera.getByText('2 captured').waitFor();
    await camera.getByText('2/100').waitFor();
    await camera.getByRole('button', { name: 'Close camera' }).click();
    await page.getByRole('heading', { name: '2 photos selected' }).waitFor();
    await expect.poll(() => page.getByText(/^captured-memory-\d+-[12]\.jpg$/).count()).toBe(2);
    await expect.poll(() => page.getByText('captured', { exact: true }).count()).toBe(2);
    await save(page).click();
    await page.getByText('Memories Uploaded Successfully!').waitFor();
    expect(await countOf(us.ada, date.id)).toBe(2);
  });

  it('counts both photos of two quick presses', { tags: ['uploads.camera.2'] }, async () => {
    const { page, camera } = await open();
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByText('Back Camera').waitFor();
    await showFrame(page);
    // The second press comes before the first photo is encoded.
    await camera.getByRole('button', { name: 'Capture photo' }).evaluate((shutter: HTMLElement) => {
      for (let press = 0; press < 2; press += 1) shutter.click();
    });
    await camera.getByText('2 captured').waitFor();
    await camera.getByRole('button', { name: 'Close camera' }).click();
    for (const number of [1, 2]) await page.getByText(new RegExp(`^captured-memory-\\d+-${number}\\.jpg$`)).waitFor();
  });

  it('stops on closing, and switches to the other camera on a phone', {
    tags: ['uploads.camera.3', 'uploads.camera.4'],
  }, async () => {
    const { page, camera } = await open('/memories/upload', {
      userAgent: 'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36',
      viewport: { width: 390, height: 844 },
    });
    await page.evaluate(() => {
      const requested: MediaStreamConstraints[] = [];
      const streams: MediaStream[] = [];
      const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        requested.push(constraints ?? {});
        const stream = await getUserMedia(constraints);
        streams.push(stream);
        return stream;
      };
      Object.assign(globalThis, { requested, streams });
    });
    const facings = () =>
      page.evaluate(() =>
        (globalThis as unknown as { requested: { video: { facingMode: string } }[] }).requested.map(
          ({ video }) => video.facingMode,
        ),
      );
    const live = () =>
      page.evaluate(() =>
        (globalThis as unknown as { streams: MediaStream[] }).streams.map((stream) =>
          stream.getTracks().some(({ readyState }) => readyState === 'live'),
        ),
      );
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect.poll(facings).toEqual(['environment']);
    await camera.getByRole('button', { name: 'Switch camera' }).click();
    await camera.getByText('Front Camera').waitFor();
    await expect.poll(facings).toEqual(['environment', 'user']);
    await expect.poll(live).toEqual([false, true]);
    await page.keyboard.press('Escape');
    await expect.poll(live).toEqual([false, false]);
    await expect.poll(() => camera.count()).toBe(0);
  });

  it('requests the back camera at 1920 by 1080, makes JPEGs of quality 0.9, and flashes', {
    tags: ['uploads.camera.1', 'uploads.camera.2'],
  }, async () => {
    const { page, camera } = await open();
    await page.evaluate(() => {
      const [requested, encoded]: unknown[][] = [[], []];
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = (constraints) => {
        requested?.push(constraints);
        return open(constraints);
      };
      const { toBlob } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
        encoded?.push(how);
        return toBlob.call(this, done, ...how);
      };
      Object.assign(globalThis, { requested, encoded });
    });
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByRole('button', { name: 'Capture photo' }).click();
    await camera.getByText('1 captured').waitFor();
    // The flash covers the live picture and is hidden from screen readers.
    await expect.poll(() => camera.locator('video + span[aria-hidden="true"]').count()).toBe(1);
    expect(await page.evaluate(() => (globalThis as unknown as { requested: unknown }).requested)).toEqual([
      { video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } }, audio: false },
    ]);
    expect(await page.evaluate(() => (globalThis as unknown as { encoded: unknown }).encoded)).toEqual([
      ['image/jpeg', 0.9],
    ]);
  });

  it('stops when the screen is left', { tags: ['uploads.camera.4'] }, async () => {
    const { page, camera } = await open();
    await page.evaluate(() => {
      const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      navigator.mediaDevices.getUserMedia = async (constraints) => {
        const stream = await open(constraints);
        Object.assign(globalThis, { stream });
        return stream;
      };
    });
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await expect.poll(() => camera.getByRole('button', { name: 'Capture photo' }).isEnabled()).toBe(true);
    await page.evaluate(() => document.querySelector<HTMLElement>('nav a[href="/stats"]')?.click());
    await page.waitForURL('**/stats');
    await expect
      .poll(() =>
        page.evaluate(() =>
          (globalThis as unknown as { stream: MediaStream }).stream
            .getTracks()
            .every(({ readyState }) => readyState === 'ended'),
        ),
      )
      .toBe(true);
  });

  it('says that there is no picture yet', async () => {
    const { page, camera } = await open();
    await page.getByRole('button', { name: 'Take Photo' }).click();
    const shutter = camera.getByRole('button', { name: 'Capture photo' });
    await expect.poll(() => shutter.isEnabled()).toBe(true);
    await page.evaluate(() => Object.defineProperty(HTMLVideoElement.prototype, 'videoWidth', { get: () => 0 }));
    await shutter.click();
    await camera.getByText('Camera elements not found. Please try again.').waitFor();
  });

  it('offers no switch on a desktop', { tags: ['uploads.camera.3'] }, async () => {
    const { page, camera } = await open();
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByText('Back Camera').waitFor();
    expect(await camera.getByRole('button', { name: 'Switch camera' }).count()).toBe(0);
  });

  it('stops at a hundred photos', { tags: ['uploads.camera.5'] }, async () => {
    const { page, camera } = await open();
    const one = await photo('one.jpg');
    await choose(
      page,
      Array.from({ length: 99 }, (_, n) => ({ ...one, name: `${n}.jpg` })),
    );
    await page.getByRole('heading', { name: '99 photos selected' }).waitFor();
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByRole('button', { name: 'Capture photo' }).click();
    await camera.getByText('Maximum files reached (100)').waitFor();
    expect(await camera.getByRole('button', { name: 'Capture photo' }).isDisabled()).toBe(true);
  });

  it.each([
    ['NotAllowedError', 'Camera access denied. Please allow camera permissions and try again.'],
    ['NotFoundError', 'No camera found on this device.'],
    ['NotSupportedError', 'Camera is not supported on this device.'],
    ['NotReadableError', 'Camera is already in use by another application.'],
    ['AbortError', 'Failed to access camera. Please check your permissions and try again.'],
  ])('explains an error (%s), and retries', { tags: ['uploads.camera.6'] }, async (name, text) => {
    const { page, camera } = await open();
    await page.evaluate((name) => {
      const getUserMedia = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
      let first = true;
      navigator.mediaDevices.getUserMedia = (constraints) => {
        if (!first) return getUserMedia(constraints);
        first = false;
        return Promise.reject(new DOMException('no', name));
      };
    }, name);
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByRole('alert').getByText(text, { exact: true }).waitFor();
    expect(await camera.getByRole('button', { name: 'Capture photo' }).isDisabled()).toBe(true);
    await camera.getByRole('button', { name: 'Retry' }).click();
    await camera.getByRole('button', { name: 'Capture photo' }).click();
    await camera.getByText('1 captured').waitFor();
  });

  it('says that a browser does not support cameras', { tags: ['uploads.camera.6'] }, async () => {
    const { page, camera } = await open();
    await page.evaluate(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByText('Camera is not supported on this device or browser.').waitFor();
  });

  it.each([
    ['Could not get canvas context. Please try again.', 'getContext'],
    ['Failed to capture photo. Please try again.', 'toBlob'],
  ])('reports a failed capture: %s', { tags: ['uploads.camera.6'] }, async (text, fails) => {
    const { page, camera } = await open();
    await page.evaluate((fails) => {
      if (fails === 'getContext') HTMLCanvasElement.prototype.getContext = () => null;
      else HTMLCanvasElement.prototype.toBlob = (done) => done(null);
    }, fails);
    await page.getByRole('button', { name: 'Take Photo' }).click();
    await camera.getByRole('button', { name: 'Capture photo' }).click();
    await camera.getByText(text).waitFor();
  });
});
