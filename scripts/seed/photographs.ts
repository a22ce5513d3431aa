import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { seededRandom } from '../lib/seeded-random.ts';
import type { Scene } from './demo-data.ts';

/** The pictures of the demonstration, as `sea-1.webp`. They were computed, so nobody was photographed. */
const FOLDER = join(import.meta.dirname, 'pictures');
const pictures = readdirSync(FOLDER).sort();

/** Width by height, as phones take photographs. */
const SHAPES = [4 / 3, 3 / 4, 3 / 2, 4 / 3, 4 / 5, 16 / 9] as const;
/** How much of a picture's width or height a photograph shows: all of it at first, and details when it comes again. */
const SHARES = [1, 0.8, 0.65, 0.5] as const;
const LONGER_SIDE = 1120;

/**
 * A photograph of a scene: a part of one of its pictures, as a JPEG with its capture time and UTC offset in EXIF.
 * @param number photographs of one scene with numbers in a row show all of its pictures before one comes again
 * @param takenAt local time, as EXIF has it: '2026:10:14 19:41:09'
 */
export async function photographOf(scene: Scene, number: number, takenAt: string, offset: string): Promise<Buffer> {
  const ofScene = pictures.filter((name) => name.startsWith(scene));
  const file = join(FOLDER, ofScene[number % ofScene.length] ?? '');
  const { width, height } = await sharp(file).metadata();
  // Neighboring seeds would begin with similar numbers.
  const random = seededRandom(Math.imul(number + 1, 0x9e3779b1));
  const shape = SHAPES[Math.floor(random() * SHAPES.length)] ?? 1;
  const share = SHARES[Math.floor(number / ofScene.length) % SHARES.length] ?? 1;
  const part = {
    width: Math.floor(Math.min(width, height * shape) * share),
    height: Math.floor(Math.min(height, width / shape) * share),
  };
  const left = Math.floor(random() * (width - part.width));
  const top = Math.floor(random() * (height - part.height));
  const photograph = sharp(file)
    .extract({ ...part, left, top })
    .flop(random() < 0.3)
    .resize(LONGER_SIDE, LONGER_SIDE, { fit: 'inside', withoutEnlargement: true });
  return photograph
    .withExif({
      IFD0: { Make: 'Our Love Story', Model: 'Demonstration' },
      IFD2: { DateTimeOriginal: takenAt, OffsetTimeOriginal: offset },
    })
    .jpeg({ quality: 84 })
    .toBuffer();
}
