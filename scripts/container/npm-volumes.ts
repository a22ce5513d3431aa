import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, workFolder } from './buildah-and-podman.ts';

/** The volumes with which npm uses the same registry and certificates during the build as on this machine. */
export async function npmVolumes(): Promise<string[]> {
  const [registry, cafile = ''] = await Promise.all(
    ['registry', 'cafile'].map((name) => outputOf('npm', ['config', 'get', name])),
  );
  const authorities = existsSync(cafile) ? cafile : process.env.NODE_EXTRA_CA_CERTS;
  const file = join(workFolder(), 'npmrc');
  const lines = [`registry=${registry}`];
  const volumes = ['--volume', `${file}:/usr/local/etc/npmrc:ro`];
  if (authorities !== undefined) {
    lines.push('cafile=/etc/npm-authorities.pem');
    volumes.push('--volume', `${realpathSync(authorities)}:/etc/npm-authorities.pem:ro`);
  }
  writeFileSync(file, `${lines.join('\n')}\n`);
  return volumes;
}
