import { createHash } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { idempotencyKeys } from "#drizzle/schema/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { HttpEnv } from "./env.ts";

const KEPT = sql`interval '7 days'`;
/** A call that says nothing for so long has died; its key may be used again. */
const ABANDONED = sql`interval '15 minutes'`;

/**
 * `Idempotency-Key` on any POST (draft-ietf-httpapi-idempotency-key-header): the same key and body get the first
 * answer again, another body is refused, a call still running is a conflict. Server errors are not kept, nor secrets. Flowing bodies
 * are never held, so their routes do not ask here.
 */
export function idempotency({ db }: { db: Db }) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const key = c.req.header("idempotency-key")?.trim();
    if (c.req.method !== "POST" || !key) return await next();
    if (key.length > 255) {
      throw new AppError("invalid", say`Idempotency-Key has more than 255 characters`);
    }
    const bodySha256 = createHash("sha256").update(c.var.body ?? "").digest("hex");
    const call = {
      key,
      actor: c.var.actor.username,
      route: routeOf(c),
      bodySha256,
    };
    const kept = await begin(db, call);
    if (kept) {
      return c.body(kept.body ?? "", kept.status as 200, {
        "content-type": kept.contentType ?? "application/json",
        "Idempotency-Replayed": "true",
      });
    }
    try {
      await next();
      const keep = c.res.status < 500 && !c.var.isToldOnce &&
        !c.res.headers.get("content-type")?.startsWith("text/event-stream");
      await end(db, call, keep ? c.res.clone() : undefined);
    } catch (error) {
      await end(db, call, undefined);
      throw error;
    }
  });
}

/** The query of a call may hold a secret, which is not kept. */
function routeOf(c: Context<HttpEnv>): string {
  const { search } = new URL(c.req.url);
  return search ? `${c.req.path}?${createHash("sha256").update(search).digest("hex")}` : c.req.path;
}

type Call = Pick<typeof idempotencyKeys.$inferInsert, "key" | "actor" | "route" | "bodySha256">;

/** Undefined when the call is new and now ours. */
async function begin(db: Db, call: Call) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - ${KEPT}`));
  await db.delete(idempotencyKeys).where(and(
    sameCall(call),
    sql`status is null`,
    lt(idempotencyKeys.createdAt, sql`now() - ${ABANDONED}`),
  ));
  const created = await db.insert(idempotencyKeys).values(call).onConflictDoNothing().returning({
    key: idempotencyKeys.key,
  });
  if (created.length) return undefined;
  const [kept] = await db.select().from(idempotencyKeys).where(sameCall(call));
  if (!kept || kept.status === null) {
    throw new AppError("conflict", say`The call with Idempotency-Key ${call.key} is still running`);
  }
  if (kept.bodySha256 !== call.bodySha256) {
    throw new AppError("refused", say`Idempotency-Key ${call.key} was used with another body`);
  }
  return kept;
}

async function end(db: Db, call: Call, answer: Response | undefined): Promise<void> {
  if (!answer) {
    await db.delete(idempotencyKeys).where(sameCall(call));
    return;
  }
  await db.update(idempotencyKeys).set({
    status: answer.status,
    contentType: answer.headers.get("content-type"),
    body: await answer.text(),
  }).where(sameCall(call));
}

function sameCall({ key, actor, route }: Call) {
  return and(
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.actor, actor),
    eq(idempotencyKeys.route, route),
  );
}
