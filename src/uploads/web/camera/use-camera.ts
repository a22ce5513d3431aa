import { useEffect, useState } from 'react';
import { useHidden } from '../../../base/web/device/use-hidden.ts';
import { CAMERA, cameraFault, type Facing, NO_CAMERA_HERE } from '../../camera.ts';

/** The camera's stream, or its error; both null while it starts. */
export interface Camera {
  readonly stream: MediaStream | null;
  readonly fault: string | null;
}

const NOTHING: Camera = { stream: null, fault: null };

/** Which camera to use. A new object with the same facing restarts it. */
export interface Mode {
  readonly facing: Facing;
}

/** Opens the camera. It stops on unmount, on another mode, and while the page is hidden. */
export function useCamera(mode: Mode): Camera {
  const hidden = useHidden();
  const [camera, setCamera] = useState(NOTHING);
  useEffect(() => {
    if (hidden) return undefined;
    let isGone = false;
    let stream: MediaStream | undefined;
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    void openCamera(mode).then((opened) => {
      stream = opened.stream ?? undefined;
      if (isGone) stop();
      else setCamera(opened);
      // The camera was unplugged, or its permission was revoked.
      for (const track of stream?.getTracks() ?? []) {
        track.addEventListener('ended', () => setCamera({ stream: null, fault: cameraFault('ended') }));
      }
    });
    return () => {
      isGone = true;
      stop();
      setCamera(NOTHING);
    };
  }, [mode, hidden]);
  return camera;
}

async function openCamera({ facing }: Mode): Promise<Camera> {
  // Undefined unless the page was loaded over HTTPS.
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!devices?.getUserMedia) return { stream: null, fault: NO_CAMERA_HERE };
  try {
    const video = { facingMode: facing, width: { ideal: CAMERA.width }, height: { ideal: CAMERA.height } };
    return { stream: await devices.getUserMedia({ video, audio: false }), fault: null };
  } catch (error) {
    return { stream: null, fault: cameraFault(error instanceof Error ? error.name : '') };
  }
}
