import { computeSha256 } from "#src/kernel/sha256.ts";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Context } from "hono";
import { idempotencyKeys } from "#drizzle/schema/mod.ts";
import { coversCode } from "#src/domain/permission/code.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { streamedBody } from "./body.ts";
import { createDigest, newDigest } from "./body_digest.ts";
import { addUsage, takeUsage } from "./daily_usage.ts";
import type { HttpEnv, Once } from "./env.ts";
import { translateFor } from "./errors.ts";
import { checkPermission } from "./guard.ts";
import { KB, MB } from "./intake.ts";

const KEPT = sql`interval '7 days'`;
/** A call without a sign of life for this long counts as dead; its key may be used again. */
const ABANDONED = sql`interval '15 minutes'`;
/** Largest stored answer in bytes; of a longer answer only the status is stored. */
const MAX_BYTES = 64 * KB;
/** Bytes that the stored answers of one user may take per day (UTC): some 65,000 calls with short answers. */
const MAX_PER_DAY = 64 * MB;
/** Minimum bytes counted per call: its key, its route and a short answer. */
const CALL_BYTES = KB;

interface IdempotencyDeps {
  readonly db: Db;
  /** Limits of bodies that are received in a stream. */
  readonly streams: { readonly limit: number; readonly windowMs: number };
}

/**
 * `Idempotency-Key` on a POST that writes (draft-ietf-httpapi-idempotency-key-header). The same key and body get the first
 * answer again, another body is refused, a call still running is a conflict. Server errors and secrets are not stored.
 */
export function idempotency({ db, streams }: IdempotencyDeps): Once {
  return async (c, next, { isStreamed }) => {
    const key = c.req.header("idempotency-key")?.trim();
    if (!key) return await next();
    if (key.length > 255) {
      throw new AppError("invalid", say`Idempotency-Key has more than 255 characters`);
    }
    const digest = isStreamed ? newDigest() : createDigest(c.var.body);
    const call: Call = { key, actor: c.var.actor.username, route: toRouteKey(c) };
    const kept = await begin(db, { ...call, bodySha256: digest.sha256() ?? "" });
    c.set("digest", digest);
    if (kept) {
      await checkRights(c, kept.rights);
      if (isStreamed) { for await (const _ of streamedBody(c, streams)); }
      if (kept.bodySha256 !== digest.sha256()) {
        throw new AppError("refused", say`Idempotency-Key ${key} was used with another body`);
      }
      return replayAnswer(c, kept);
    }
    const rights = new Set<string>();
    const { actor } = c.var;
    c.set("actor", { ...actor, permissions: recordChecks(actor.permissions, rights) });
    try {
      await next();
      const bodySha256 = digest.sha256();
      const isKept = c.res.status < 500 && c.res.status !== 429 && !c.var.isToldOnce &&
        bodySha256 !== undefined &&
        !c.res.headers.get("content-type")?.startsWith("text/event-stream");
      if (!isKept) return await deleteCall(db, call);
      await store(db, call, {
        bodySha256,
        status: c.res.status,
        contentType: c.res.headers.get("content-type"),
        body: await readBody(c.res),
        rights: [...rights],
        holder: getHolder(actor),
      });
    } catch (error) {
      await deleteCall(db, call);
      throw error;
    }
  };
}

/** Returns the path with a hash of the query, which may contain a secret. */
function toRouteKey(c: Context<HttpEnv>): string {
  const { search } = new URL(c.req.url);
  return search ? `${c.req.path}?${computeSha256(search)}` : c.req.path;
}

type Row = typeof idempotencyKeys.$inferSelect;
type Call = Pick<Row, "key" | "actor" | "route">;
type Answer = Pick<
  Row,
  "bodySha256" | "status" | "contentType" | "body" | "rights" | "holder"
>;

/**
 * Returns the stored answer, or undefined if the call is new and was registered. Throws `throttled` over the caller's
 * quota.
 */
async function begin(db: Db, call: Call & { readonly bodySha256: string }) {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, sql`now() - ${KEPT}`));
  await db.delete(idempotencyKeys).where(and(
    sameCall(call),
    sql`status is null`,
    lt(idempotencyKeys.createdAt, sql`now() - ${ABANDONED}`),
  ));
  const created = await db.insert(idempotencyKeys).values(call).onConflictDoNothing().returning({
    key: idempotencyKeys.key,
  });
  if (created.length) {
    await takeCall(db, call.actor).catch(async (error) => {
      await deleteCall(db, call);
      throw error;
    });
    return undefined;
  }
  const [kept] = await db.select().from(idempotencyKeys).where(sameCall(call));
  if (!kept || kept.status === null) {
    throw new AppError("conflict", say`The call with Idempotency-Key ${call.key} is still running`);
  }
  return { ...kept, status: kept.status };
}

/** Counts the call. Over the quota it is refused, because a call without protection could take effect twice. */
function takeCall(db: Db, username: string): Promise<void> {
  return takeUsage(db, { what: "answers", username, bytes: CALL_BYTES }, {
    most: MAX_PER_DAY,
    refusal:
      say`The calls of ${username} with Idempotency-Key exceed ${MAX_PER_DAY} bytes of stored answers today: try again tomorrow (UTC)`,
  });
}

async function store(db: Db, call: Call, answer: Answer): Promise<void> {
  await db.update(idempotencyKeys).set(answer).where(sameCall(call));
  const texts = [answer.body ?? "", ...answer.rights];
  const bytes = texts.reduce((sum, it) => sum + new TextEncoder().encode(it).length, 0);
  if (bytes <= CALL_BYTES) return;
  await addUsage(db, { what: "answers", username: call.actor, bytes: bytes - CALL_BYTES });
}

async function deleteCall(db: Db, call: Call): Promise<void> {
  await db.delete(idempotencyKeys).where(sameCall(call));
}

function sameCall({ key, actor, route }: Call) {
  return and(
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.actor, actor),
    eq(idempotencyKeys.route, route),
  );
}

/** Returns the text of an answer, or null if it is too long or not text. */
async function readBody(answer: Response): Promise<string | null> {
  if (!answer.body) return "";
  const type = answer.headers.get("content-type") ?? "";
  const isText = /^(text\/|application\/([\w.-]+\+)?json\b)/.test(type);
  if (!isText || Number(answer.headers.get("content-length") ?? 0) > MAX_BYTES) return null;
  const reader = (answer.clone().body ?? new ReadableStream<Uint8Array>()).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > MAX_BYTES) {
      void reader.cancel().catch(() => {}); // it ends together with the answer
      return null;
    }
    chunks.push(next.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Records each permission that a handler checks. */
function recordChecks(permissions: PermissionSet, rights: Set<string>): PermissionSet {
  return {
    get codes() {
      for (const code of permissions.codes) rights.add(code);
      return permissions.codes;
    },
    grantOf(required) {
      const grant = permissions.grantOf(required);
      if (grant !== undefined) rights.add(required);
      return grant;
    },
  };
}

/**
 * Throws 403 if the caller no longer has a permission that the first call needed. The guard has checked the route's
 * own.
 */
async function checkRights(c: Context<HttpEnv>, rights: readonly string[]): Promise<void> {
  const { codes } = c.var.actor.permissions;
  for (const code of rights) {
    if (!codes.some((it) => coversCode(it, code))) await checkPermission(c, code);
  }
}

/** Returns the other properties that determine which rows a caller sees. */
function getHolder({ roles, profile }: Actor): string {
  const seen = JSON.stringify([[...roles].sort(), profile?.claims ?? null]);
  return computeSha256(seen);
}

function replayAnswer(c: Context<HttpEnv>, kept: Row & { readonly status: number }): Response {
  const isShown = kept.body !== null && kept.holder === getHolder(c.var.actor);
  const sentence =
    say`Already done: the call with Idempotency-Key ${kept.key} was answered with ${kept.status}`;
  const text = isShown
    ? kept.body ?? ""
    : JSON.stringify({ success: kept.status < 400, message: translateFor(sentence, c) });
  const type = isShown ? kept.contentType : undefined;
  const headers = {
    "content-type": type ?? "application/json",
    "Idempotency-Replayed": "true",
  };
  const status = kept.status as 200;
  return text ? c.body(text, status, headers) : c.body(null, status, headers);
}
