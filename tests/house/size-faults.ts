import { posix } from 'node:path';
import type { Source } from '../../scripts/lib/parse-source.ts';

/** The most lines of a file and of a function, and the most files in a folder of the server’s and the web’s base. */
const MOST = { fileLines: 300, functionLines: 80, filesInFolder: 20 } as const;

/** Files that are lists, and may be long: the tables of the database, and the suggestions of ideas. */
const DATA = new Set(['src/base/server/db/tables/tables.ts', 'src/ideas/suggestions.ts']);

/** What is too large in these files, one line each. Tests are left out. */
export function sizeFaults(sources: readonly Source[]): string[] {
  const own = sources.filter(({ path }) => !/\.(test|d)\.tsx?$/.test(path));
  return [...own.flatMap(longParts), ...fullFolders(sources)];
}

function longParts({ path, lines, functions }: Source): string[] {
  const long = functions.filter(({ length }) => length > MOST.functionLines);
  return [
    ...(lines > MOST.fileLines && !DATA.has(path) ? [`${path}: ${lines} lines, more than ${MOST.fileLines}`] : []),
    ...long.map(
      ({ line, length }) => `${path}:${line}: a function of ${length} lines, more than ${MOST.functionLines}`,
    ),
  ];
}

function fullFolders(sources: readonly Source[]): string[] {
  const folders = Map.groupBy(
    sources.filter(({ path }) => /^src\/base\/(server|web)\//.test(path)),
    ({ path }) => posix.dirname(path),
  );
  return [...folders]
    .filter(([, files]) => files.length > MOST.filesInFolder)
    .map(([folder, files]) => `${folder}: ${files.length} files, more than ${MOST.filesInFolder}`);
}
