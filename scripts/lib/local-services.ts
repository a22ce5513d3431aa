import { newBucket, S3_KEYS, startCeph } from '../../tests/support/ceph.ts';
import { startPostgres } from '../../tests/support/postgres.ts';
import { CommandError } from './command.ts';
import { provision } from './provision.ts';

/** An empty PostgreSQL and an empty S3 store on this machine. */
export interface LocalServices {
  readonly databaseUrl: string;
  /** The environment variables with which the server uses both. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops both and deletes their data. */
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL and Ceph's S3, and installs Ceph first if it is missing.
 * @throws CommandError with what to install
 */
export async function startLocalServices(): Promise<LocalServices> {
  const { ceph: advice } = provision(['ceph']);
  if (advice !== null) throw new CommandError(advice);
  const [postgres, s3] = await Promise.all([startPostgres(), startCeph()]);
  const bucket = await newBucket(s3.url, S3_KEYS);
  return {
    databaseUrl: postgres.url,
    env: {
      DATABASE_URL: postgres.url,
      STORAGE_URL: `s3://${bucket}?endpoint=${encodeURIComponent(s3.url)}&region=us-east-1`,
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    },
    stop: async () => {
      await Promise.all([postgres.stop(), s3.stop()]);
    },
  };
}
