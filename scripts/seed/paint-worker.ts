import { parentPort } from 'node:worker_threads';
import { paintPhoto } from './paint.ts';
import type { Order } from './painters.ts';

/** Paints the photographs that painters.ts orders, one after the other. */
parentPort?.on('message', ({ scene, seed, takenAt, offset }: Order) => {
  void paintPhoto(scene, seed, takenAt, offset).then((picture) => parentPort?.postMessage(picture));
});
