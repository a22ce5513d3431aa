import { sql } from 'kysely';
import { DAY } from '../../src/base/durations.ts';
import type { Db } from '../../src/base/server/db/db.ts';

/** Inserts this many couples by SQL, with nothing due: two partners, a device, an idea, three dates, three memories. */
export async function fillIdleCouples(db: Db, count: number): Promise<void> {
  const now = Date.now();
  const numbers = sql`with recursive "n"("i") as (
    select 1 union all select "i" + 1 from "n" where "i" < cast(${count} as integer))`;
  const at = (ms: number) => sql`cast(${now + ms} as bigint)`;
  const both = sql`(select 1 as "k" union all select 2) as "both"`;
  const three = sql`(select 'a' as "k", 1 as "d" union all select 'b', 2 union all select 'c', 3) as "three"`;
  const statements = [
    sql`insert into "couples" ("id", "timeZone", "createdAt") ${numbers} select 'c' || "i", 'UTC', ${at(0)} from "n"`,
    sql`insert into "users" ("coupleId", "id", "email", "emailKey", "displayName", "passwordHash", "createdAt") ${numbers}
      select 'c' || "i", 'u' || "i" || '-' || "k", 'u' || "i" || '-' || "k", 'u' || "i" || '-' || "k", 'Ada', '', ${at(0)}
      from "n" cross join ${both}`,
    sql`insert into "sessions" ("coupleId", "userId", "id", "tokenHash", "device", "createdAt", "lastUsedAt") ${numbers}
      select 'c' || "i", 'u' || "i" || '-' || "k", 's' || "i" || '-' || "k", 's' || "i" || '-' || "k", '', ${at(0)}, ${at(0)}
      from "n" cross join ${both}`,
    sql`insert into "pushDevices" ("coupleId", "userId", "sessionId", "endpoint", "p256dh", "auth", "device", "createdAt")
      ${numbers} select 'c' || "i", 'u' || "i" || '-1', 's' || "i" || '-1', '', '', '', 'd' || "i", ${at(0)} from "n"`,
    sql`insert into "ideas" ("coupleId", "id", "title", "category", "isActive", "createdAt", "updatedAt", "version") ${numbers}
      select 'c' || "i", 'i', 'A walk by the river', 'Outdoor', 1, ${at(0)}, ${at(0)}, 1 from "n"`,
    sql`insert into "dates"
      ("coupleId", "id", "ideaId", "status", "plannedDateTime", "createdAt", "updatedAt", "version") ${numbers}
      select 'c' || "i", "k" || "i", 'i', 'Planned', ${at(0)} + "d" * cast(${10 * DAY} as bigint), ${at(0)}, ${at(0)}, 1
      from "n" cross join ${three}`,
    sql`insert into "memories" ("coupleId", "id", "dateId", "fileName", "originalFileName", "fileExtension",
        "fileSizeBytes", "sha256", "width", "height", "thumbHash", "uploadedAt", "happenedAt") ${numbers}
      select 'c' || "i", "k" || "i", 'a' || "i", "k" || "i" || '.jpg', 'a.jpg', '.jpg', 1, "k" || "i", 1, 1, '', ${at(0)}, ${at(0)}
      from "n" cross join ${three}`,
  ];
  await db.write(async (tx) => {
    for (const statement of statements) await statement.execute(tx);
  });
  await db.write((tx) => sql`analyze`.execute(tx));
}
