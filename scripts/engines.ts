import { newBucket, S3_KEYS, startCeph } from '../tests/support/ceph.ts';
import { startPostgres } from '../tests/support/postgres.ts';
import { provision } from './lib/provision.ts';

/**
 * `npm run engines`: runs an empty PostgreSQL and an empty S3 store until Ctrl-C, to try the app on. Prints the
 * environment variables with which `npm start` uses them.
 */
const { ceph: advice } = provision(['ceph']);
if (advice !== null) {
  console.error(advice);
  process.exit(1);
}
const [postgres, s3] = await Promise.all([startPostgres(), startCeph()]);
const bucket = await newBucket(s3.url, S3_KEYS);
console.log(`export DATABASE_URL='${postgres.url}'
export STORAGE_URL='s3://${bucket}?endpoint=${encodeURIComponent(s3.url)}&region=us-east-1'
export AWS_ACCESS_KEY_ID=${S3_KEYS.accessKeyId} AWS_SECRET_ACCESS_KEY=${S3_KEYS.secretAccessKey}`);

const stop = async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
};
process.once('SIGINT', () => void stop()).once('SIGTERM', () => void stop());
