import { and, desc, eq, inArray, lte } from "drizzle-orm";
import { configurationSections, jobAuthors } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Every job that was written before authors were recorded. */
const OLDER = "";

/** Records the authors of these jobs; null is the operator of the machine, an empty text an unknown author. */
export async function recordJobAuthors(
  tx: Db,
  { jobs, revision, author }: {
    jobs: Iterable<string>;
    revision: number;
    author: string | null;
  },
): Promise<void> {
  const rows = [...jobs].map((job) => ({ job, revision, author }));
  if (rows.length) await tx.insert(jobAuthors).values(rows);
}

/** Returns the author of the job in force; null is the operator of the machine, an empty text an unknown author. */
export async function authorOfJob(db: Db, job: string): Promise<string | null> {
  const [row] = await db.select({ author: jobAuthors.author }).from(jobAuthors)
    .innerJoin(configurationSections, eq(configurationSections.name, "jobs"))
    .where(
      and(
        inArray(jobAuthors.job, [job, OLDER]),
        lte(jobAuthors.revision, configurationSections.active),
      ),
    )
    .orderBy(desc(jobAuthors.revision)).limit(1);
  return row ? row.author : "";
}
