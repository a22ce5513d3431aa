import { z } from 'zod';

const instant = z.iso.datetime().transform((text) => Date.parse(text));
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable();
const uuid = z.uuid();

const partner = z.object({ id: uuid, email: z.string(), displayName: z.string(), createdAt: instant });

const dateIdea = z.object({
  ...{ id: uuid, title: z.string(), description: orNull(z.string()), category: z.string(), isActive: z.boolean() },
  ...{ createdAt: instant, updatedAt: instant, version: z.int(), deletedAt: orNull(instant) },
});

const plannedDate = z.object({
  ...{ id: uuid, dateIdeaId: uuid, status: z.enum(['Planned', 'InProgress', 'Completed', 'Cancelled']) },
  ...{
    plannedDateTime: instant,
    endDateTime: orNull(instant),
    location: orNull(z.string()),
    notes: orNull(z.string()),
  },
  ...{ actualStartTime: orNull(instant), actualEndTime: orNull(instant) },
  ...{ createdAt: instant, updatedAt: instant, version: z.int() },
  ...{ deletedAt: orNull(instant), deletedBy: orNull(uuid) },
});

const memory = z.object({
  ...{ id: uuid, plannedDateId: uuid, caption: orNull(z.string()) },
  ...{ uploadedAt: instant, takenAt: orNull(instant) },
  fileName: z.string().regex(/^[0-9a-f]{32}\.(jpg|png|gif|webp)$/),
  ...{ originalFileName: z.string(), fileExtension: z.enum(['.jpg', '.png', '.gif', '.webp']) },
  ...{ fileSizeBytes: z.int().positive(), sha256: z.string().regex(/^[0-9a-f]{64}$/) },
  ...{ width: z.int().positive(), height: z.int().positive(), thumbHash: z.string() },
  ...{ deletedAt: orNull(instant), deletedBy: orNull(uuid), dateDeletedAt: orNull(instant) },
  /** Where in the archive its original lies; null where the server had lost it. */
  file: orNull(z.string()),
});

/**
 * `data/story.json` of an export: everything that is ours, and nothing secret. Instants are ISO; what lies in the trash
 * is there too.
 */
export const story = z.object({
  format: z.literal('our-love-story export'),
  version: z.literal(1),
  exportedAt: instant,
  couple: z.object({ id: uuid, togetherSince: orNull(z.iso.date()), timeZone: z.string(), createdAt: instant }),
  partners: z.array(partner).min(1).max(2),
  dateIdeas: z.array(dateIdea),
  plannedDates: z.array(plannedDate),
  memories: z.array(memory),
});

export type Story = z.output<typeof story>;
export type StoryDate = Story['plannedDates'][number];
export type StoryMemory = Story['memories'][number];
