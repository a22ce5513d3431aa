import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** One import of a source file. */
export interface Import {
  /** As written; for a relative import, the path from the project's folder. */
  readonly target: string;
  readonly relative: boolean;
  /** Whether nothing is left of it once the types are stripped. */
  readonly typeOnly: boolean;
  readonly line: number;
}

/** What the laws and the checks of names and sizes need of one TypeScript file. */
export interface Source {
  /** From the project's folder, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Where it reads the clock, randomness, or the environment: 'Date.now()', 'Math.random', 'process'. */
  readonly impurities: readonly { readonly what: string; readonly line: number }[];
  /** The length of each function in lines. */
  readonly functions: readonly { readonly line: number; readonly length: number }[];
  /** The names that it exports itself. */
  readonly exports: readonly { readonly name: string; readonly line: number }[];
  /** The names of its functions that are declared to return a boolean. */
  readonly questions: readonly string[];
}

/** Every TypeScript file under a folder of a project. */
export function readSources(projectFolder: string, folder = 'src'): Source[] {
  return globSync(`${folder}/**/*.{ts,tsx}`, { cwd: projectFolder })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => parseSource(path, readFileSync(join(projectFolder, path), 'utf8')));
}

/** Parses one file. Throws when its text isn't valid TypeScript. */
export function parseSource(path: string, text: string): Source {
  const { program, module, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
  const imports: Import[] = [];
  const add = (specifier: string, typeOnly: boolean, start: number) =>
    imports.push({ ...resolveTarget(path, specifier), typeOnly, line: lineAt(start) });

  // `import { type A }` leaves an `import {}` behind, which still loads the module.
  const isType = (start: number) => /^(import|export)\s+type\s/.test(text.slice(start, start + 20));
  for (const { moduleRequest, start } of module.staticImports) add(moduleRequest.value, isType(start), start);
  for (const { entries, start } of module.staticExports) {
    const from = entries[0]?.moduleRequest?.value;
    if (from !== undefined) add(from, isType(start), start);
  }
  const exports = module.staticExports.flatMap(({ entries, start }) =>
    entries
      .filter(({ moduleRequest, exportName }) => moduleRequest === null && exportName.name !== null)
      .map(({ exportName }) => ({ name: exportName.name ?? '', line: lineAt(start) })),
  );
  for (const { moduleRequest, start } of module.dynamicImports) {
    const specifier = text.slice(moduleRequest.start, moduleRequest.end);
    if (/^(['"]).*\1$/.test(specifier)) add(specifier.slice(1, -1), false, start);
  }

  const impurities: { what: string; line: number }[] = [];
  const functions: { line: number; length: number }[] = [];
  const questions: string[] = [];
  /** Each `Temporal.Now` of which only the platform's time zone is read. */
  const zoneReads = new Set<ESTree.Node>();
  const measure = ({ start, end }: ESTree.Span) => {
    functions.push({ line: lineAt(start), length: lineAt(end) - lineAt(start) + 1 });
  };
  new Visitor({
    TSImportType: ({ source, start }) => add(source.value, true, start),
    FunctionDeclaration: (node) => {
      measure(node);
      const returned = node.returnType?.typeAnnotation.type;
      if (node.id && (returned === 'TSBooleanKeyword' || returned === 'TSTypePredicate')) questions.push(node.id.name);
    },
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    NewExpression: ({ callee, arguments: args, start }) => {
      if (isName(callee, 'Date') && args.length === 0) impurities.push({ what: 'new Date()', line: lineAt(start) });
    },
    CallExpression: ({ callee, start }) => {
      if (isName(callee, 'Date')) impurities.push({ what: 'Date()', line: lineAt(start) });
    },
    MemberExpression: (node) => {
      if (isName(node.property, 'timeZoneId')) zoneReads.add(node.object);
      const what = zoneReads.has(node) ? undefined : impureMember(node);
      if (what) impurities.push({ what, line: lineAt(node.start) });
    },
  }).visit(program);

  return { path, lines: lineAt(text.trimEnd().length), imports, impurities, functions, exports, questions };
}

const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random', 'Temporal.Now']);
const IMPURE_OBJECTS = new Set(['crypto', 'performance', 'process', 'globalThis', 'localStorage', 'navigator']);

/** What a member expression reads, if a pure file may not read it. */
function impureMember(node: ESTree.MemberExpression): string | undefined {
  if (node.object.type !== 'Identifier') return undefined;
  const object = node.object.name;
  if (IMPURE_OBJECTS.has(object)) return object;
  if (node.property.type !== 'Identifier' || node.computed) return undefined;
  const what = `${object}.${node.property.name}`;
  return IMPURE_MEMBERS.has(what) ? what : undefined;
}

function isName(node: ESTree.Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function resolveTarget(from: string, specifier: string): { target: string; relative: boolean } {
  if (!specifier.startsWith('.')) return { target: specifier, relative: false };
  return { target: posix.join(posix.dirname(from), specifier), relative: true };
}
