import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../scripts/lib/root.ts';
import { HOST, operatingText, substitute } from '../support/operating/operating-texts.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The block of a service in compose.yaml. */
function service(name: string): string {
  return new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n|  +#.*\\n)+)`, 'm').exec(read('compose.yaml'))?.[1] ?? '';
}

/** What `npm run container` proves by running it is checked here as text, because every machine can read. */
describe('the container', () => {
  it('ends in a stage without npm and the packages of the build, as a user without rights, with one volume', {
    tags: ['running.proxies.4'],
  }, () => {
    const stages = read('Containerfile').split(/^FROM /m);
    const last = stages.at(-1) ?? '';
    expect(stages).toHaveLength(5);
    expect(last).toMatch(/^base\n/);
    expect(last).not.toMatch(/\bnpm (?:ci|install|run)\b|build-essential|\bgcc\b/);
    expect(last.match(/^VOLUME .*$/gm)).toEqual(['VOLUME /data']);
    expect(last).toMatch(/^USER (?!0\b)\d+:\d+$/m);
    expect(last).toMatch(/^HEALTHCHECK .*\\\n {2}CMD \["node"/m);
    // In this form there is no shell, which would keep SIGTERM to itself.
    expect(last).toMatch(/^CMD \["node", "scripts\/start\.ts"\]$/m);
  });

  it('is built for both processors by one command, which runs nothing of the other one', {
    tags: ['running.proxies.8'],
  }, () => {
    const command =
      'podman build --format docker --platform linux/amd64,linux/arm64 --build-arg BUILDPLATFORM=linux/amd64 --manifest our-love-story .';
    expect(read('docs/operating.md')).toContain(command);
    const [, base, build, packages, last] = read('Containerfile').split(/^FROM /m);
    expect(base).toMatch(/^\$\{BASE\} AS base\n/);
    expect(build).toMatch(/^--platform=\$BUILDPLATFORM /);
    expect(packages).toMatch(/^build AS /);
    // What a stage of the other processor runs would have to be emulated.
    expect(last).not.toMatch(/^RUN /m);
  });

  it('is built from files that exist, and from no others', { tags: ['running.proxies.4'] }, () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(kept.filter((path) => !path.includes('*') && !existsSync(join(root, path)))).toEqual([]);
    expect(kept).toEqual(expect.arrayContaining(['package-lock.json', 'scripts', 'src']));
  });

  it('is before Caddy with the text of docs/operating.md', { tags: ['running.proxies.4'] }, () => {
    const expected = substitute(operatingText('caddyfile', 'reverse_proxy'), {
      [HOST]: '{$HOST_NAME}',
      '127.0.0.1:3000': 'full:3000',
    });
    expect(read('deploy/container/Caddyfile').replace(/^#.*\n/gm, '')).toBe(expected);
  });

  it.each(['app', 'full'])(
    'has a read-only root and no privileges as the service %s of compose.yaml',
    { tags: ['running.proxies.4'] },
    (name) => {
      const text = service(name);
      expect(text).toContain('read_only: true');
      expect(text).toContain('cap_drop: [ALL]');
      expect(text).toContain('no-new-privileges:true');
      expect(text.match(/:\/data"\]/g)).toHaveLength(1);
      const [, environment = ''] = text.split('environment:\n');
      const names = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, variable = '']) => variable);
      expect(names.length).toBeGreaterThan(3);
      const documented = read('docs/operating.md');
      const unknown = names.filter(
        (variable) => !/^(AWS_|TZ$)/.test(variable) && !documented.includes(`\`${variable}\``),
      );
      expect(unknown).toEqual([]);
    },
  );
});
