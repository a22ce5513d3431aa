import { RotateCw, SwitchCamera, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Corners } from '../../../kit/web/album/corners.tsx';
import { DrawnSnapped } from '../../../kit/web/album/drawings.tsx';
import { cx } from '../../../kit/web/cx.ts';
import { Dialog, useDialog } from '../../../kit/web/feedback/dialog.tsx';
import { EmptyState } from '../../../kit/web/feedback/empty-state.tsx';
import { Button } from '../../../kit/web/forms/button.tsx';
import { IconButton } from '../../../kit/web/forms/icon-button.tsx';
import { memoryLimits } from '../../../memories/rules.ts';
import { CAMERA, captureName, isMobile, modeLabel, NO_CONTEXT, NO_ELEMENTS, NO_PHOTO } from '../../camera.ts';
import css from './camera-dialog.module.css';
import { type Mode, useCamera } from './use-camera.ts';

export interface CameraDialogProps {
  /** How many files are selected already. */
  readonly held: number;
  readonly onCapture: (file: File) => void;
  readonly onClose: () => void;
}

/** The camera, over the whole screen; it stays open after a capture (uploads.camera.2). */
export function CameraDialog({ held, onCapture, onClose }: CameraDialogProps) {
  const dialog = useDialog();
  const [mode, setMode] = useState<Mode>({ facing: 'environment' });
  const { facing } = mode;
  const camera = useCamera(mode);
  const [video, ready, onReady] = useLiveVideo(camera.stream);
  const shots = useShots(video, onCapture);
  const fault = camera.fault ?? shots.fault;
  const full = held >= memoryLimits.files;
  const again = () => {
    shots.clearFault();
    setMode({ facing });
  };
  return (
    <Dialog ref={dialog} className={css.camera} aria-label="Take Photo" onClose={onClose}>
      <div className={css.bar}>
        <span>{modeLabel(facing)}</span>
        <span className="num">
          {held}/{memoryLimits.files}
        </span>
        <IconButton label="Close camera" icon={<X />} onClick={() => dialog.current?.close()} />
      </div>
      <div className={css.live}>
        {fault === null ? (
          <video
            ref={video}
            className={cx(css.video, facing === 'user' && css.mirrored)}
            aria-label="Live picture of the camera"
            autoPlay
            playsInline
            muted
            onLoadedData={onReady}
          />
        ) : (
          <EmptyState
            role="alert"
            drawing={<DrawnSnapped />}
            actions={
              <Button variant="primary" icon={<RotateCw />} onClick={again}>
                Retry
              </Button>
            }
          >
            {fault}
          </EmptyState>
        )}
        {shots.count > 0 && <span key={shots.count} className={css.flash} aria-hidden="true" />}
        <Corners />
        <p className={css.warn} role="status">
          {full && `Maximum files reached (${memoryLimits.files})`}
        </p>
      </div>
      <div className={css.controls}>
        <span className={cx(css.last, 'num')} role="status">
          {shots.last && <img src={shots.last} alt="" width={48} height={48} />}
          {shots.count > 0 && `${shots.count} captured`}
        </span>
        <button
          type="button"
          className={css.shutter}
          aria-label="Capture photo"
          disabled={full || !ready || fault !== null}
          onClick={shots.take}
        />
        {isMobile(navigator.userAgent, navigator.maxTouchPoints) && (
          <IconButton
            label="Switch camera"
            icon={<SwitchCamera />}
            className={css.switch}
            onClick={() => setMode({ facing: facing === 'user' ? 'environment' : 'user' })}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Shows a stream in a video element. It is ready when its first frame has loaded. */
function useLiveVideo(stream: MediaStream | null) {
  const ref = useRef<HTMLVideoElement>(null);
  const [shown, setShown] = useState<MediaStream | null>(null);
  useEffect(() => {
    if (ref.current) ref.current.srcObject = stream;
  }, [stream]);
  return [ref, stream !== null && shown === stream, () => setShown(stream)] as const;
}

/** Captures photos from the video. */
function useShots(video: RefObject<HTMLVideoElement | null>, onCapture: (file: File) => void) {
  const [shots, setShots] = useState({ count: 0, last: '' });
  const [fault, setFault] = useState<string | null>(null);
  /** Two quick presses take two photos before either is encoded. */
  const taken = useRef(0);
  useEffect(() => () => URL.revokeObjectURL(shots.last), [shots.last]);
  const take = () => {
    const picture = video.current;
    if (!picture || picture.videoWidth === 0) {
      setFault(NO_ELEMENTS);
      return;
    }
    const canvas = document.createElement('canvas');
    canvas.width = picture.videoWidth;
    canvas.height = picture.videoHeight;
    const context = canvas.getContext('2d');
    if (!context) {
      setFault(NO_CONTEXT);
      return;
    }
    context.drawImage(picture, 0, 0);
    const kept = (blob: Blob | null) => {
      if (!blob) {
        setFault(NO_PHOTO);
        return;
      }
      taken.current += 1;
      const count = taken.current;
      onCapture(new File([blob], captureName(Date.now(), count), { type: 'image/jpeg' }));
      setShots({ count, last: URL.createObjectURL(blob) });
    };
    canvas.toBlob(kept, 'image/jpeg', CAMERA.quality);
  };
  return { ...shots, fault, take, clearFault: () => setFault(null) };
}
