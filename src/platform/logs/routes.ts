import type { Deps } from "#src/deps.ts";
import { numberRows, success } from "#src/http/database_answers.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { notFound } from "#src/kernel/errors.ts";
import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { DetailsQuery, LogDetails, LogEntries, LogFiles, LogQuery } from "./schemas.ts";
import { findEntries, findEntry, listNeighbours, type LogEntry } from "./store.ts";
import { writeLogFiles } from "./write_files.ts";

const TAGS = { tags: ["Database"] };
const MAX_NEIGHBOURS = 500;
/** Each looks through thousands of entries, while everybody else needs the database too. */
const MAX_WAITING = 15;

const list = route({
  ...TAGS,
  method: "get",
  operationId: "listLogs",
  path: "/api/logs",
  "x-permission": "logs:read",
  summary: "List log entries",
  description: "For operators. Entries of all processes are listed, newest first.",
  request: { query: LogQuery },
  responses: { 200: json(LogEntries, "Page of log entries"), ...failing(429) },
});
const details = route({
  ...TAGS,
  method: "get",
  operationId: "getLogDetails",
  path: "/api/logs/details",
  "x-permission": "logs:read",
  summary: "Read a log entry",
  description: "For operators. The answer also contains the other entries of the same request.",
  request: { query: DetailsQuery },
  responses: {
    200: json(LogDetails, "Entry with the other entries of its request"),
    ...failing(404),
  },
});
const write = route({
  ...TAGS,
  method: "post",
  operationId: "writeLogFiles",
  "x-audit": "logs.written",
  path: "/api/logs",
  "x-permission": "logs:write",
  summary: "Write log files",
  description:
    "For operators. The newest 100,000 entries are written into the data folder as JSON and text.",
  responses: { 200: json(LogFiles, "Paths of both files"), ...failing(413, 429, 503) },
});

export function logRoutes(deps: Pick<Deps, "clock" | "db" | "storage">) {
  const { run: inTurn } = newSemaphore({
    limit: 1,
    waiting: MAX_WAITING,
    full: () => say`Many read the log already; try again`,
  });
  const { run: alone } = newSemaphore({
    limit: 1,
    waiting: 0,
    full: () => say`The entries are being written already; try again`,
  });
  return newRouter("database")
    .openapi(list, async (c) => {
      const { limit, offset, ...filter } = c.req.valid("query");
      const { entries, ...counted } = await inTurn(() =>
        findEntries(deps.db, filter, { limit, offset })
      );
      const items = numberRows(entries.map(getRecord), offset);
      const { length: count } = items;
      const hasMore = counted.totalIsCapped ? count === limit : offset + count < counted.total;
      return c.json({ status: success, items, count, hasMore, limit, offset, ...counted }, 200);
    })
    .openapi(details, async (c) => {
      const { id } = c.req.valid("query");
      const entry = await findEntry(deps.db, id);
      if (!entry) throw notFound("Log entry", String(id));
      const others = await listNeighbours(deps.db, entry, MAX_NEIGHBOURS);
      return c.json({
        status: success,
        items: numberRows([getRecord(entry)]),
        neighbours: numberRows(others.map(getRecord)),
        count: 1,
      }, 200);
    })
    .openapi(write, async (c) => {
      const written = await alone(() => writeLogFiles(deps));
      c.set("after", { ...written });
      return c.json({ status: success, ...written }, 200);
    });
}

function getRecord({ id, time, level, process, event, requestId, fields }: LogEntry) {
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
