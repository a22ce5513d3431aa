/** Which camera of a phone: the back or the front one. */
export type Facing = 'environment' | 'user';

/** The size in pixels that is asked of the camera, and the quality of its JPEGs. */
export const CAMERA = { width: 1920, height: 1080, quality: 0.9 } as const;

export const NO_CAMERA_HERE = 'Camera is not supported on this device or browser.';
export const NO_ELEMENTS = 'Camera elements not found. Please try again.';
export const NO_CONTEXT = 'Could not get canvas context. Please try again.';
export const NO_PHOTO = 'Failed to capture photo. Please try again.';

/** The messages for `getUserMedia` errors, by error name (also those of old browsers). */
const FAULTS: Readonly<Record<string, string>> = {
  NotAllowedError: 'Camera access denied. Please allow camera permissions and try again.',
  PermissionDeniedError: 'Camera access denied. Please allow camera permissions and try again.',
  NotFoundError: 'No camera found on this device.',
  DevicesNotFoundError: 'No camera found on this device.',
  NotSupportedError: 'Camera is not supported on this device.',
  NotReadableError: 'Camera is already in use by another application.',
  TrackStartError: 'Camera is already in use by another application.',
};

/** The message for an error of `getUserMedia`. */
export function cameraFault(errorName: string): string {
  return FAULTS[errorName] ?? 'Failed to access camera. Please check your permissions and try again.';
}

/** Which camera the viewfinder shows. */
export function modeLabel(facing: Facing): string {
  return facing === 'user' ? 'Front Camera' : 'Back Camera';
}

/** Whether the device is a phone or tablet, which has two cameras. An iPad calls itself a Mac, but has a touch screen. */
export function isMobile(userAgent: string, touchPoints: number): boolean {
  if (/Android|webOS|iPhone|iPad|iPod|BlackBerry|IEMobile|Opera Mini|Mobile/i.test(userAgent)) return true;
  return /Macintosh/.test(userAgent) && touchPoints > 1;
}

/** 'captured-memory-1763734800000-1.jpg' */
export function captureName(now: number, counter: number): string {
  return `captured-memory-${now}-${counter}.jpg`;
}
