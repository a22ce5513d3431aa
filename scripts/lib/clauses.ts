import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** One promise of docs/product, such as `dates.plan.3`. */
export interface Clause {
  readonly name: string;
  readonly text: string;
  /** The path of the page that has it. */
  readonly page: string;
}

/** Where a clause is named. */
export interface Mention {
  readonly clause: string;
  /** From the project's folder. */
  readonly path: string;
  readonly line: number;
  /** The title, if it is the tag of a test or a group of tests. */
  readonly title?: string;
}

const CLAUSE = /^- \*\*([a-z][a-z0-9]*(?:\.[a-z0-9]+)+)\*\* (.+)$/;
const GROUPS_AND_TESTS = new Set(['it', 'test', 'describe', 'describeOnBoth']);

/** The clauses of all pages, in their order. Throws if two have the same name. */
export function readClauses(projectFolder: string): Clause[] {
  const clauses = filesIn(projectFolder, 'docs/product/*.md').flatMap((page) =>
    readLines(projectFolder, page).flatMap((line) => {
      const [, name, text] = CLAUSE.exec(line) ?? [];
      return name !== undefined && text !== undefined ? [{ name, text, page }] : [];
    }),
  );
  const names = new Set<string>();
  for (const { name, page } of clauses) {
    if (names.has(name)) throw new Error(`${page}: there are two clauses ${name}.`);
    names.add(name);
  }
  return clauses;
}

/**
 * The clauses that source files cite in parentheses: `(dates.plan.3)` or `(dates.plan.3, ideas.list.1)`.
 * @param areas the first words of clause names, such as 'dates'
 */
export function findCitations(projectFolder: string, areas: ReadonlySet<string>): Mention[] {
  const name = `(?:${[...areas].join('|')})(?:\\.[a-z]+)*\\.\\d+`;
  const citation = new RegExp(`\\((${name}(?:, ${name})*)\\)`, 'g');
  return filesIn(projectFolder, '{src,scripts,tests}/**/*.{ts,tsx,mjs,css}').flatMap((path) =>
    readLines(projectFolder, path).flatMap((text, index) =>
      Array.from(text.matchAll(citation), ([, names = '']) => names.split(', '))
        .flat()
        .map((clause) => ({ clause, path, line: index + 1 })),
    ),
  );
}

/**
 * The clauses that tests and groups of tests show, including those in shared test code, by their tags:
 * `it('…', { tags: ['dates.plan.3'] }, …)`.
 */
export function findTags(projectFolder: string): Mention[] {
  return filesIn(projectFolder, '{{src,scripts}/**/*.test,tests/**/*}.{ts,tsx}').flatMap((path) => {
    const source = readFileSync(join(projectFolder, path), 'utf8');
    const mentions: Mention[] = [];
    new Visitor({
      CallExpression: ({ callee, arguments: [title, options], start }) => {
        if (!GROUPS_AND_TESTS.has(rootName(callee)) || options?.type !== 'ObjectExpression' || !title) return;
        const line = source.slice(0, start).split('\n').length;
        for (const clause of tagsOf(options)) mentions.push({ clause, path, line, title: titleOf(title) });
      },
    }).visit(parseSync(path, source).program);
    return mentions;
  });
}

function tagsOf({ properties }: ESTree.ObjectExpression): string[] {
  return properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'tags') return [];
    const { value } = property;
    if (value.type !== 'ArrayExpression') return [];
    return value.elements.flatMap((tag) =>
      tag?.type === 'Literal' && typeof tag.value === 'string' ? [tag.value] : [],
    );
  });
}

/** A title as written; `…` replaces the expressions of a template literal. */
function titleOf(node: ESTree.Node): string {
  if (node.type === 'Literal') return String(node.value);
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked ?? '').join('…') : '';
}

/** `it` of `it`, `it.skipIf(…)` and `it.each([…])`. */
function rootName(callee: ESTree.Node): string {
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type === 'MemberExpression') return rootName(callee.object);
  return callee.type === 'CallExpression' ? rootName(callee.callee) : '';
}

function filesIn(projectFolder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: projectFolder })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}

function readLines(projectFolder: string, path: string): string[] {
  return readFileSync(join(projectFolder, path), 'utf8').split('\n');
}
