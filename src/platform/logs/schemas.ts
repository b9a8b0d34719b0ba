import { z } from "@hono/zod-openapi";
import { Success } from "#src/http/database_answers.ts";
import {
  acceptSeveral,
  FROM_TO,
  inOrder,
  oneOrSeveral,
  textFilter,
  windowed,
  windowQuery,
} from "#src/http/list.ts";
import { moment } from "#src/http/wire.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
import { LOG_LEVELS } from "#src/ports/log.ts";

/** Clients have a sentence for each of the product's events, and a short text occurs in most. */
const MAX_SEARCHED_EVENTS = 300;

export const LogQuery = inOrder(
  windowQuery({ limit: 100 }).extend({
    level: acceptSeveral(z.enum(LOG_LEVELS)).openapi({
      ...oneOrSeveral(LOG_LEVELS),
      description: "Only entries of these levels, repeated or separated by commas",
      example: ["ERROR"],
    }),
    event: z.string().trim().min(1).max(200).optional().openapi({
      description: "Only this event, or all events with this prefix",
      example: "submission",
    }),
    from: moment().optional().openapi({
      description: "Start of the period, inclusive",
      example: "2026-11-01T00:00:00Z",
    }),
    to: moment().optional().openapi({
      description: "End of the period, exclusive",
      example: "2026-12-01T00:00:00Z",
    }),
    search: textFilter.openapi({
      description:
        "Text in the event, the process, the request or the fields. The search covers the newest 20,000 entries that match the other filters; `searchedFrom` shows its start",
      example: "timeout",
    }),
    searchEvents: acceptSeveral(z.string().regex(/^[\w.-]{1,200}$/), MAX_SEARCHED_EVENTS).openapi({
      type: "array",
      items: { type: "string" },
      param: { style: "form", explode: false },
      description:
        "Events that `search` finds as well, repeated or separated by commas. Clients name those whose own sentence contains the text",
      example: ["mail.failed"],
    }),
  }),
  FROM_TO,
);

export const DetailsQuery = z.object({
  id: z.string().regex(/^0*[1-9]\d{0,14}$/, words(say`the number of an entry is expected (LOG_ID)`))
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, description: "`LOG_ID` of the entry", example: 4711 }),
});

const Entry = z.object({
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  LOG_ID: z.int().openapi({
    description: "Number of the entry; later entries have higher numbers",
    example: 4711,
  }),
  LOG_TIME: z.iso.datetime().openapi({
    description: "Time of the entry",
    example: "2026-11-22T10:00:00.000Z",
  }),
  LOG_LEVEL: z.enum(LOG_LEVELS).openapi({ description: "Severity of the entry", example: "ERROR" }),
  LOG_PROCESS: z.string().openapi({
    description: "Process and machine that wrote the entry",
    example: "web app-1:4711",
  }),
  LOG_EVENT: z.string().openapi({
    description: "Event, as `<object>.<result>`",
    example: "pool.open.failed",
  }),
  LOG_REQUEST: z.string().nullable().openapi({
    description: "Identifier of the request (`X-Request-Id`)",
    example: "0f8fad5b-d9cb-469f-a165-70867728950e",
  }),
  LOG_FIELDS: z.record(z.string(), z.unknown()).openapi({
    description: "Further fields, without secrets",
    example: { pool: "erp" },
  }),
}).openapi("LogRecord", { description: "Log entry" });

export const LogEntries = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  items: z.array(Entry).openapi({ description: "Log entries, newest first" }),
  count: z.int().openapi({ description: "Number of entries on this page", example: 100 }),
  hasMore: z.boolean().openapi({
    description: "True when there are older entries",
    example: false,
  }),
  ...windowed,
  totalIsCapped: z.boolean().openapi({
    description:
      "True when the list has more entries than `total`, which is the limit of the count",
    example: false,
  }),
  searchedFrom: z.iso.datetime().optional().openapi({
    description: "Time of the oldest searched entry; use `to` to search older ones",
    example: "2026-11-20T09:30:00.000Z",
  }),
}).openapi("LogEntries", { description: "Page of log entries" });

export const LogDetails = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  items: z.array(Entry).openapi({ description: "The requested entry" }),
  neighbours: z.array(Entry).openapi({
    description: "Other entries of the same request, oldest first",
  }),
  count: z.int().openapi({ description: "Number of entries in `items`", example: 1 }),
}).openapi("LogDetails", { description: "Log entry with the other entries of its request" });

export const LogFiles = z.object({
  status: Success.openapi({ description: "Always `success`" }),
  files: z.array(z.string()).openapi({
    description: "Paths of the files in the data folder",
    example: ["logs/2026-11-22T10-00-00.000Z.json"],
  }),
  count: z.int().openapi({ description: "Number of entries in each file", example: 1200 }),
  truncated: z.boolean().openapi({ description: "True when older entries were left out" }),
}).openapi("LogFiles", { description: "Written log files" });
