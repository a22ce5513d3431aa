import sharp from 'sharp';
import type { Scene } from './demo-data.ts';
import { develop, type Film } from './paint/film.ts';
import { paintForest } from './paint/forest.ts';
import { type Frame, newFrame } from './paint/frame.ts';
import { paintHills } from './paint/hills.ts';
import { paintLights } from './paint/lights.ts';
import { paintNight } from './paint/night.ts';
import { between, pick, seededRandom } from './paint/noise.ts';
import { paintSea } from './paint/sea.ts';
import { paintSnow } from './paint/snow.ts';
import { paintTable } from './paint/table.ts';
import { paintTown } from './paint/town.ts';

type Painter = (frame: Frame, random: () => number) => void | Promise<void>;

const SCENES: Readonly<Record<Scene, { readonly paint: Painter; readonly film: Film }>> = {
  sea: { paint: paintSea, film: {} },
  hills: { paint: paintHills, film: {} },
  night: { paint: paintNight, film: { exposure: 1.5, grain: 0.02, bloom: 0.2 } },
  lamps: { paint: paintLights, film: { exposure: 1.15, grain: 0.02, bloom: 0.35, lights: [1.05, 0.99, 0.92] } },
  forest: { paint: paintForest, film: { lights: [1.02, 1.01, 0.94] } },
  town: { paint: paintTown, film: { exposure: 1.15 } },
  table: { paint: paintTable, film: { exposure: 1.1, grain: 0.018, bloom: 0.3, lights: [1.04, 1, 0.93] } },
  snow: { paint: paintSnow, film: { lights: [1, 1, 1.02], bloom: 0.2 } },
};

/** The sizes of the photographs in pixels, as a phone takes them. */
const SIZES = [
  [1120, 840],
  [840, 1120],
  [1120, 747],
  [1120, 840],
  [896, 1120],
  [1120, 630],
] as const;

/**
 * Generates a photograph of a scene: a JPEG with its capture time and UTC offset in EXIF. The same seed yields the same
 * photograph. It is computed as light, pixel by pixel, and developed like film.
 */
export async function paintPhoto(scene: Scene, seed: number, takenAt: string, offset: string): Promise<Buffer> {
  // The app blocks SVG for the whole process. This SVG is generated here.
  sharp.unblock({ operation: ['VipsForeignLoadSvg'] });
  // Neighboring seeds would begin with similar numbers.
  const random = seededRandom(Math.imul(seed, 0x9e3779b1));
  const [width, height] = pick(SIZES, random);
  const { paint, film } = SCENES[scene];
  const frame = newFrame(width, height);
  await paint(frame, random);
  return develop(frame, { ...film, exposure: (film.exposure ?? 1) * between(0.92, 1.1, random) }, random)
    .withExif({
      IFD0: { Make: 'Our Love Story', Model: 'Demonstration' },
      IFD2: { DateTimeOriginal: takenAt, OffsetTimeOriginal: offset },
    })
    .jpeg({ quality: 84 })
    .toBuffer();
}
