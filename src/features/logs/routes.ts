import type { Deps } from "#src/deps.ts";
import { numbered, success } from "#src/http/database_answers.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { oneAfterAnother } from "#src/kernel/one_after_another.ts";
import { oneAtATime } from "#src/kernel/one_at_a_time.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { DetailsQuery, LogDetails, LogEntries, LogFiles, LogQuery } from "./schemas.ts";
import { findEntries, findEntry, type LogEntry, neighboursOf } from "./store.ts";
import { writeLogFiles } from "./write_files.ts";

const TAGS = { tags: ["Database"] };
const MOST_NEIGHBOURS = 500;
/** Each looks through thousands of entries, while everybody else needs the database too. */
const MOST_WAITING = 15;

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listLogs",
  path: "/api/logs",
  "x-permission": "logs:read",
  summary: "What the processes logged, newest first",
  request: { query: LogQuery },
  responses: { 200: json(LogEntries, "One page of entries"), ...failing(429) },
});
const details = route({
  ...TAGS,
  method: "get",
  operationId: "getLogDetails",
  path: "/api/logs/details",
  "x-permission": "logs:read",
  summary: "One entry, and what else was logged in the same call",
  request: { query: DetailsQuery },
  responses: { 200: json(LogDetails, "The entry with its neighbours"), ...failing(404) },
});
const write = route({
  ...TAGS,
  method: "post",
  operationId: "writeLogFiles",
  "x-audit": "logs.written",
  path: "/api/logs",
  "x-permission": "logs:write",
  summary: "Writes the newest 100,000 entries into the data folder, as JSON and as text",
  responses: { 200: json(LogFiles, "The paths of both files"), ...failing(413, 429, 503) },
});

export function logRoutes(deps: Pick<Deps, "clock" | "db" | "storage">) {
  const inTurn = oneAfterAnother(MOST_WAITING, say`Many read the log already; try again`);
  const alone = oneAtATime(say`The entries are being written already; try again`);
  return newRouter("database")
    .openapi(list, async (c) => {
      const { limit, offset, ...filter } = c.req.valid("query");
      const { entries, ...counted } = await inTurn(() =>
        findEntries(deps.db, filter, { limit, offset })
      );
      const items = numbered(entries.map(recordOf), offset);
      const { length: count } = items;
      const hasMore = counted.totalIsCapped ? count === limit : offset + count < counted.total;
      return c.json({ status: success, items, count, hasMore, limit, offset, ...counted }, 200);
    })
    .openapi(details, async (c) => {
      const { id } = c.req.valid("query");
      const entry = await findEntry(deps.db, id);
      if (!entry) throw notFound("Log entry", String(id));
      const others = await neighboursOf(deps.db, entry, MOST_NEIGHBOURS);
      return c.json({
        status: success,
        items: numbered([recordOf(entry)]),
        neighbours: numbered(others.map(recordOf)),
        count: 1,
      }, 200);
    })
    .openapi(write, async (c) => {
      const written = await alone(() => writeLogFiles(deps));
      c.set("after", { ...written });
      return c.json({ status: success, ...written }, 200);
    });
}

function recordOf({ id, time, level, process, event, requestId, fields }: LogEntry) {
  return {
    LOG_ID: id,
    LOG_TIME: time,
    LOG_LEVEL: level,
    LOG_PROCESS: process,
    LOG_EVENT: event,
    LOG_REQUEST: requestId,
    LOG_FIELDS: { ...fields },
  };
}
