import { dayOf } from '../base/instants.ts';
import { portableName, UniqueNames } from './archive-names.ts';
import { type Story, type StoryMemory, titleOfDate } from './story.ts';

/** The parts of a memory that decide its path. */
type Placed = Pick<StoryMemory, 'plannedDateId' | 'originalFileName' | 'fileExtension' | 'deletedAt' | 'dateDeletedAt'>;

interface Folder {
  readonly path: string;
  readonly names: UniqueNames;
}

const folderOf = (path: string): Folder => ({ path: `photos/${path}`, names: new UniqueNames() });

/** Gives each memory its path in the archive: one folder per date, named by its day and title. */
export class ArchivePaths {
  readonly #ofDates: ReadonlyMap<string, Folder>;
  readonly #trash = folderOf('Recently deleted');

  constructor({ dateIdeas, plannedDates, couple }: Pick<Story, 'dateIdeas' | 'plannedDates' | 'couple'>) {
    const titles = new Map(dateIdeas.map(({ id, title }) => [id, title]));
    const names = new UniqueNames();
    this.#ofDates = new Map(
      plannedDates.map((date) => {
        const day = dayOf(date.actualStartTime ?? date.plannedDateTime, couple.timeZone);
        const title = portableName(titleOfDate(date, titles) ?? '', 'Our date');
        return [date.id, folderOf(names.take(`${day} ${title}`))];
      }),
    );
  }

  /** Returns a new path for a memory. */
  take(memory: Placed): string {
    const isDeleted = memory.deletedAt !== null || memory.dateDeletedAt !== null;
    const folder = (isDeleted ? undefined : this.#ofDates.get(memory.plannedDateId)) ?? this.#trash;
    return `${folder.path}/${folder.names.take(fileNameOf(memory))}`;
  }
}

/** The name the file had on the device, with an extension that matches its type. */
function fileNameOf({ originalFileName, fileExtension }: Placed): string {
  const name = portableName(originalFileName, `photo${fileExtension}`);
  const endings = fileExtension === '.jpg' ? ['.jpg', '.jpeg'] : [fileExtension];
  return endings.some((ending) => name.toLowerCase().endsWith(ending)) ? name : `${name}${fileExtension}`;
}
