import type { CoupleId, UserId } from '../../base/ids.ts';
import type { Reader, Writer } from '../../base/server/db/db.ts';
import { ALL_REMINDERS, type ReminderChoices, type ReminderKind } from '../rules.ts';

/** Reads which kinds of reminders a user wants. */
export async function readChoices(reader: Reader, coupleId: CoupleId, userId: UserId): Promise<ReminderChoices> {
  const row = await reader
    .selectFrom('reminderChoices')
    .select(['tomorrow', 'starting', 'howWasIt', 'photographs', 'reminderChoices.notes'])
    .where('coupleId', '=', coupleId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ? toChoices(row) : ALL_REMINDERS;
}

/** Reads the choices from the columns of a row. */
export function toChoices(row: Readonly<Record<ReminderKind, number | null>>): ReminderChoices {
  const { tomorrow, starting, howWasIt, photographs, notes } = row;
  // A user without a row has never chosen, and wants all; so do rows of older versions in what they lack.
  return {
    tomorrow: tomorrow !== 0,
    starting: starting !== 0,
    howWasIt: howWasIt !== 0,
    photographs: photographs !== 0,
    notes: notes !== 0,
  };
}

/** Saves a user's choices. Absent ones keep their stored value. */
export async function saveChoices(
  tx: Writer,
  coupleId: CoupleId,
  userId: UserId,
  choices: { readonly [K in ReminderKind]?: boolean | undefined },
): Promise<void> {
  const numbers = Object.entries(choices).flatMap(([kind, wanted]) =>
    wanted === undefined ? [] : [[kind, Number(wanted)]],
  );
  if (numbers.length === 0) return;
  const chosen = Object.fromEntries(numbers) as Partial<Record<ReminderKind, number>>;
  const rest = { tomorrow: 1, starting: 1, howWasIt: 1, photographs: 1, notes: 1 };
  await tx
    .insertInto('reminderChoices')
    .values({ coupleId, userId, ...rest, ...chosen })
    .onConflict((conflict) => conflict.columns(['coupleId', 'userId']).doUpdateSet(chosen))
    .execute();
}
