import { join } from 'node:path';
import * as apps from 'kubernetes-models/apps/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { root } from '../../scripts/lib/root.ts';
import { runCaptured } from '../../scripts/lib/run-program.ts';

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly [field: string]: unknown;
}

type Model = new (resource: unknown) => { validate(): void };
const MODELS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  v1: core,
  'apps/v1': apps,
  'policy/v1': policy,
};

const hasKubectl = await runCaptured('kubectl', ['kustomize', '--help'], root).then(
  ({ code }) => code === 0,
  () => false,
);

describe.skipIf(!hasKubectl)('the files for Kubernetes (where kubectl is installed)', () => {
  async function build(folder: string): Promise<Resource[]> {
    const { code, output } = await runCaptured('kubectl', ['kustomize', join('deploy/kubernetes', folder)], root);
    expect({ code, output }).toMatchObject({ code: 0 });
    return parseAllDocuments(output).map((document) => document.toJS() as Resource);
  }

  it.each([
    ['sqlite', ['ConfigMap', 'Service', 'PersistentVolumeClaim', 'Deployment']],
    ['postgres', ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget']],
  ])('build, and fit the schemas: %s', { tags: ['running.proxies.9'] }, async (folder, kinds) => {
    const resources = await build(folder);
    expect(resources.map(({ kind }) => kind)).toEqual(kinds);
    for (const resource of resources) expect(problemsOf(resource)).toEqual([]);
  });

  it('fail with a wrong type or a field that Kubernetes does not know', { tags: ['running.proxies.9'] }, async () => {
    const [configMap] = await build('sqlite');
    expect(problemsOf({ ...configMap, immutable: 'no' } as unknown as Resource).join()).toContain('boolean');
    expect(problemsOf({ ...configMap, data: {}, dta: {} } as unknown as Resource)).toEqual(['dta is unknown']);
  });
});

/** What a resource has that its schema does not allow. */
function problemsOf(resource: Resource): string[] {
  const Kind = MODELS[resource.apiVersion]?.[resource.kind] as Model;
  const read = new Set<string>();
  try {
    recordReads(new Kind(resource), '', read).validate();
  } catch (error) {
    return [String(error)];
  }
  return pathsOf(resource, '')
    .filter((path) => !read.has(path))
    .map((path) => `${path} is unknown`);
}

/** The schemas allow fields that they don't know, as Kubernetes' own do. But their checks read only those that they know. */
function recordReads<T extends object>(value: T, path: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, key) {
      const field: unknown = Reflect.get(target, key);
      const at = join(path, String(key)).replaceAll('/', '.');
      read.add(at);
      return typeof field === 'object' && field !== null ? recordReads(field, at, read) : field;
    },
  });
}

function pathsOf(value: object, path: string): string[] {
  return Object.entries(value).flatMap(([key, field]) => {
    const at = join(path, key).replaceAll('/', '.');
    return typeof field === 'object' && field !== null ? [at, ...pathsOf(field as object, at)] : [at];
  });
}
