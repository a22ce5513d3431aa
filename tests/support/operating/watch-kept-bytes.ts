import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** How much of what passed through some processes they kept. */
export interface KeptBytes {
  /** The bytes that they wrote to disks. */
  readonly written: number;
  /** The bytes of the largest file that they had open for writing, even if its name was deleted while it was open. */
  readonly largestFile: number;
  /** By how many bytes their memory grew at most. */
  readonly memory: number;
}

/** How often a sample is taken, in milliseconds. A file that is opened and closed between two samples is missed. */
const SAMPLE_MS = 25;

/** Watches processes for copies of what passes through them while `work` runs. */
export async function watchKeptBytes(pids: readonly number[], work: () => Promise<void>): Promise<KeptBytes> {
  const [writtenBefore, memoryBefore] = [sumOf(pids, writtenBy), sumOf(pids, memoryOf)];
  let [largestFile, memory] = [0, 0];
  const sample = () => {
    largestFile = Math.max(largestFile, ...pids.flatMap(filesOpenForWriting));
    memory = Math.max(memory, sumOf(pids, memoryOf) - memoryBefore);
  };
  const timer = setInterval(sample, SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sample();
  return { written: sumOf(pids, writtenBy) - writtenBefore, largestFile, memory };
}

function sumOf(pids: readonly number[], figure: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + figure(pid), 0);
}

function writtenBy(pid: number): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** The sizes in bytes of the regular files that a process can write to. */
function filesOpenForWriting(pid: number): number[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const path = `/proc/${pid}/fd/${fd}`;
      const flags = Number.parseInt(
        /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1] ?? '',
        8,
      );
      const canWrite = (flags & 3) !== 0;
      return canWrite && readlinkSync(path).startsWith('/') && statSync(path).isFile() ? [statSync(path).size] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}
