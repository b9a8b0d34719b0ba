import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { aiQuestions } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

const LOCK = 728_145; // any number, the same in every process
/** Longer than anybody waits for an answer. */
const LIVES = sql`interval '10 minutes'`;

/** False where so many of the owner wait already. */
export function askQuestion(
  db: Db,
  { id, owner, most }: { id: string; owner: string; most: number },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${owner}))`);
    await tx.delete(aiQuestions).where(lte(aiQuestions.expiresAt, sql`now()`));
    if (await tx.$count(aiQuestions, eq(aiQuestions.owner, owner)) >= most) return false;
    await tx.insert(aiQuestions).values({ id, owner, expiresAt: sql`now() + ${LIVES}` });
    return true;
  });
}

/** The first answer stands. */
export async function answerQuestion(
  db: Db,
  { id, owner, answer }: { id: string; owner: string; answer: object },
): Promise<void> {
  await db.update(aiQuestions).set({ answer }).where(and(
    eq(aiQuestions.id, id),
    eq(aiQuestions.owner, owner),
    isNull(aiQuestions.answer),
    gt(aiQuestions.expiresAt, sql`now()`),
  ));
}

/** Returns undefined when the question no longer exists. */
export async function findAnswer(
  db: Db,
  id: string,
): Promise<{ readonly answer: object | null } | undefined> {
  const [row] = await db.select({ answer: aiQuestions.answer }).from(aiQuestions)
    .where(and(eq(aiQuestions.id, id), gt(aiQuestions.expiresAt, sql`now()`)));
  return row;
}

export async function deleteQuestion(db: Db, id: string): Promise<void> {
  await db.delete(aiQuestions).where(eq(aiQuestions.id, id));
}
