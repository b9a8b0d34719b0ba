import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { addRevision } from "#src/framework/dictionary/mod.ts";
import { readingCode } from "#src/definitions/codes.ts";
import type { QueryState, ReadDeps } from "#src/framework/connectors/mod.ts";
import { isRecord } from "#src/definitions/walk.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { fresh, sendFresh } from "#src/http/fresh.ts";
import { checkPermission } from "#src/http/guard.ts";
import { createReader } from "#src/http/reader.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { sendWorkbook, workbookAnswer } from "#src/http/workbook.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { exportScreen } from "./export_screen.ts";
import { listScreens } from "./list_screens.ts";
import { Lock, LockBody, Locks, ReleaseBody, Released, ReleaseQuery } from "./lock_schemas.ts";
import { lockSettings } from "./lock_settings.ts";
import {
  acquireLock,
  type LockedRecord,
  type LockRow,
  locksOfScreen,
  releaseLock,
} from "./locks/mod.ts";
import { readRecord } from "./read_record.ts";
import { type FoundScreen, requireScreen, type ScreenName } from "./require_screen.ts";
import { AppPath, ExportBody, Screen, ScreenList, ScreenPath } from "./schemas.ts";
import {
  encodeKey,
  isOfReader,
  mayHideRecords,
  mayNotify,
  namesHolder,
  recordsSeen,
} from "./seen_records.ts";
import { showScreen } from "./show_screen.ts";

const TAGS = { tags: ["Screens"] };

const all = route({
  ...TAGS,
  method: "get",
  operationId: "listScreens",
  path: "/api/screens",
  "x-permission": "screens:read",
  summary: "List screens",
  description: "For consoles. The list contains the screens that the caller may open.",
  responses: fresh(ScreenList, "Entries in the order of the settings"),
});
const ofApp = route({
  ...TAGS,
  method: "get",
  operationId: "listScreensOfApp",
  path: "/api/screens/{app}",
  "x-permission": "screens:read",
  summary: "List the screens of an app",
  description: "For consoles. The list contains the screens that the caller may open.",
  request: { params: AppPath },
  responses: fresh(ScreenList, "Screens of the app"),
});
const one = route({
  ...TAGS,
  method: "get",
  operationId: "getScreen",
  path: "/api/screens/{app}/{screen_id}",
  "x-permission": "screen:{app}:{screen_id}",
  summary: "Read a screen",
  description:
    "For consoles. The answer contains the columns of the grid, the fields of the form and the actions.",
  request: { params: ScreenPath },
  responses: {
    ...fresh(Screen, "Screen without operations, details and actions that the caller may not run"),
    ...failing(422, 503, 504),
  },
});

const LOCK = "/api/screens/{app}/{screen_id}/lock";
const acquire = route({
  ...TAGS,
  method: "post",
  operationId: "lockRecord",
  path: LOCK,
  "x-audit": false, // taking over is recorded by its verb
  "x-permission": "screen:{app}:{screen_id}",
  summary: "Lock a record",
  description: "For consoles, before a user edits a record. A repeated call renews the lock.",
  request: { params: ScreenPath, body: body(LockBody) },
  responses: {
    200: json(Lock, "The record is locked for the caller until `expires_at`"),
    ...failing(422, 423, 429, 503, 504),
  },
});
const held = route({
  ...TAGS,
  method: "get",
  operationId: "listRecordLocks",
  path: `${LOCK}s`,
  "x-permission": "screen:{app}:{screen_id}",
  summary: "List locked records",
  description: "For consoles. The list contains at most 1,000 locks, latest first.",
  request: { params: ScreenPath },
  responses: {
    200: json(
      Locks,
      "At most 1,000 locks, latest first; empty for a screen without locks. When the rows depend on the reader, the list is limited to own locks and those of readable rows",
    ),
    ...failing(429, 503, 504),
  },
});
const release = route({
  ...TAGS,
  method: "delete",
  operationId: "unlockRecord",
  path: LOCK,
  "x-audit": false,
  "x-permission": "screen:{app}:{screen_id}",
  summary: "Unlock a record",
  description: "For consoles. The token, or the session that holds the lock, releases it.",
  request: {
    params: ScreenPath,
    query: ReleaseQuery,
    body: { ...json(ReleaseBody, "In place of the address"), required: false },
  },
  responses: {
    200: json(Released, "The lock was released; `released` is false without a lock"),
    ...failing(409, 422, 503, 504),
  },
});

const exported = route({
  ...TAGS,
  method: "post",
  operationId: "exportScreen",
  path: "/api/screens/{app}/{screen_id}/export",
  "x-audit": "screen.exported",
  "x-once": false, // it only reads
  "x-permission": "screen:{app}:{screen_id}",
  summary: "Export a view as XLSX",
  description:
    "For users of a screen. The call also requires the permission for the query of the screen.",
  request: { params: ScreenPath, body: body(ExportBody) },
  responses: {
    200: workbookAnswer("XLSX file as a stream; a second sheet describes the content"),
    ...failing(422, 429, 503, 504),
  },
});

type Key = LockedRecord["key"];

type RoutesDeps =
  & ReadDeps
  & Pick<Deps, "accounts" | "configuration" | "db" | "spreadsheets">;

export function screenRoutes(deps: RoutesDeps, shared: QueryState) {
  const router = newRouter("framework");
  for (const it of [shownRoutes(deps), lockRoutes(deps, shared), exportRoutes(deps, shared)]) {
    router.route("/", it);
  }
  return router;
}

function shownRoutes(deps: RoutesDeps) {
  const { configuration } = deps;
  return newRouter("framework")
    .openapi(all, (c) => {
      const { language, ...list } = listScreens(configuration.current(), createReader(c));
      return sendFresh(c, addRevision(language, list));
    })
    .openapi(ofApp, (c) => {
      const { app } = c.req.valid("param");
      const { language, ...list } = listScreens(configuration.current(), createReader(c), { app });
      if (!list.total) throw notFound("App", app);
      return sendFresh(c, addRevision(language, list));
    })
    .openapi(one, async (c) => {
      const { app, screen_id: screen } = c.req.valid("param");
      const found = requireScreen(configuration.current(), { app, screen });
      const { language, ...shown } = await showScreen(deps, found, {
        ...createReader(c),
        roles: await deps.accounts.rolesOf(c.var.actor.username),
      });
      return sendFresh(c, addRevision(language, shown));
    });
}

function lockRoutes(deps: RoutesDeps, shared: QueryState) {
  const { configuration } = deps;
  const telling = {
    ...deps,
    hides: (it: ScreenName) => mayHideRecords(configuration.current(), it),
  };
  return newRouter("framework")
    .openapi(acquire, async (c) => {
      const { key, takeover } = c.req.valid("json");
      const { found, lock, record } = await findLockable(deps, c, key);
      if (takeover) await checkPermission(c, lock.takeover);
      if (isOfReader(found)) {
        await checkPermission(c, readingCode(found.definition.source));
        const seen = await findSeen(deps, shared, c, { found, keys: [record.key] });
        if (seen?.size === 0) {
          throw new AppError("not_found", say`The record no longer exists`);
        }
      }
      const { actor } = c.var;
      const row = await acquireLock(telling, record, { actor, ttlMs: lock.ttlMs, takeover });
      return c.json({ ...shownLock(row), token: row.token }, 200);
    })
    .openapi(held, async (c) => {
      const { app, screen_id: screen } = c.req.valid("param");
      const found = requireScreen(configuration.current(), { app, screen });
      const held = await locksOfScreen(deps.db, { app, screen });
      const others = held.filter((it) => it.username !== c.var.actor.username);
      const may = createReader(c).may(readingCode(found.definition.source));
      const keys = others.map((it) => it.key as Key);
      const seen = !isOfReader(found)
        ? "all"
        : may
        ? await findSeen(deps, shared, c, { found, keys })
        : undefined;
      const isSeen = (it: LockRow) =>
        seen === "all" || it.username === c.var.actor.username ||
        seen?.has(encodeKey(it.key as Key));
      const locks = held.filter(isSeen).map(shownLock);
      return c.json({ locks, total: locks.length }, 200);
    })
    .openapi(release, async (c) => {
      const { key, token } = sentRelease(
        c.req.valid("query"),
        c.req.valid("json") ?? {},
      );
      const { found, record } = await findLockable(deps, c, key);
      const { actor, requestId: errorId } = c.var;
      const released = await releaseLock(telling, record, { actor, token }).catch(async (error) => {
        const asked = { found, key: record.key, actor, errorId };
        if (!namesHolder(error) || await mayNotify(deps, shared, asked)) throw error;
        return false;
      });
      return c.json({ ok: true as const, released }, 200);
    });
}

function exportRoutes(deps: RoutesDeps, shared: QueryState) {
  const { configuration } = deps;
  return newRouter("framework")
    .openapi(exported, async (c) => {
      const { app, screen_id: screen } = c.req.valid("param");
      const found = requireScreen(configuration.current(), { app, screen });
      await checkPermission(c, readingCode(found.definition.source));
      return await sendWorkbook(c, (signal) =>
        exportScreen(deps, shared, {
          found,
          request: c.req.valid("json"),
          actor: c.var.actor,
          reader: createReader(c),
          errorId: c.var.requestId,
          signal,
        }));
    });
}

/** Finds the record of a call about a lock. Throws AppError `refused` for a screen without locks. */
async function findLockable(
  deps: RoutesDeps,
  c: Context<HttpEnv>,
  given: Readonly<Record<string, unknown>>,
) {
  const { app = "", screen_id: screen = "" } = c.req.param();
  const found = requireScreen(deps.configuration.current(), { app, screen });
  const lock = lockSettings(found.definition);
  if (!lock) {
    throw new AppError("refused", say`The screen ${`${app}/${screen}`} locks no records`);
  }
  return { found, lock, record: await readRecord(deps, found, given) };
}

async function findSeen(
  deps: RoutesDeps,
  shared: QueryState,
  c: Context<HttpEnv>,
  records: { readonly found: FoundScreen; readonly keys: readonly Key[] },
) {
  const { actor, requestId: errorId } = c.var;
  return await recordsSeen(deps, shared, { ...records, actor, errorId });
}

/** Returns the lock without the token, which only its holder receives. */
function shownLock({ key, username, displayName, acquiredAt, expiresAt }: LockRow) {
  return {
    key: key as Record<string, string>, // of texts, as `readRecord` makes it
    holder: { username, display_name: displayName },
    acquired_at: acquiredAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}

/** Reads the release from the body, or from the query where a proxy drops bodies of DELETE. */
function sentRelease(
  query: z.infer<typeof ReleaseQuery>,
  body: z.infer<typeof ReleaseBody>,
): { readonly key: Readonly<Record<string, unknown>>; readonly token?: string | undefined } {
  const token = body.token ?? query.token;
  if (body.key) return { key: body.key, token };
  if (query.key === undefined) throw new AppError("invalid", say`${"key"} is missing`);
  return { key: parsedKey(query.key), token };
}

function parsedKey(text: string): Readonly<Record<string, unknown>> {
  const wrong = new AppError("invalid", say`key: is no JSON: ${text.slice(0, 60)}`);
  try {
    const key: unknown = JSON.parse(text);
    if (isRecord(key)) return key;
  } catch {
    throw wrong;
  }
  throw wrong;
}
