import { z } from "@hono/zod-openapi";
import { Success } from "#src/http/database_answers.ts";
import {
  FROM_TO,
  inOrder,
  oneOrSeveral,
  severalOf,
  textFilter,
  windowed,
  windowQuery,
} from "#src/http/list.ts";
import { moment } from "#src/http/wire.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { LOG_LEVELS } from "#src/ports/log.ts";

export const LogQuery = inOrder(
  windowQuery({ limit: 100 }).extend({
    level: severalOf(z.enum(LOG_LEVELS)).openapi({
      ...oneOrSeveral(LOG_LEVELS),
      description: "Levels, repeated or separated by commas",
    }),
    event: z.string().trim().min(1).max(200).optional().openapi({
      description: "An event or the beginning of several",
      example: "submission",
    }),
    from: moment().optional().openapi({ description: "Not before" }),
    to: moment().optional().openapi({ description: "Before" }),
    search: textFilter.openapi({
      description:
        "Text anywhere in the event, the process, the request or the fields; of more than 20,000 entries that the rest of the filter leaves in the newest, and `searchedFrom` tells since when",
    }),
  }),
  FROM_TO,
);

export const DetailsQuery = z.object({
  id: z.string().regex(/^0*[1-9]\d{0,14}$/, words(say`the number of an entry is expected (LOG_ID)`))
    .transform(Number)
    .openapi({ type: "integer", minimum: 1, description: "`LOG_ID` of an entry" }),
});

const Entry = z.object({
  ROW_ID: z.int(),
  LOG_ID: z.int(),
  LOG_TIME: z.iso.datetime(),
  LOG_LEVEL: z.enum(LOG_LEVELS),
  LOG_PROCESS: z.string(),
  LOG_EVENT: z.string(),
  LOG_REQUEST: z.string().nullable(),
  LOG_FIELDS: z.record(z.string(), z.unknown()),
}).openapi("LogRecord");

export const LogEntries = z.object({
  status: Success,
  items: z.array(Entry),
  count: z.int(),
  hasMore: z.boolean(),
  ...windowed,
  totalIsCapped: z.boolean(),
  searchedFrom: z.iso.datetime().optional().openapi({
    description: "A text was looked for in the entries since then; `to` looks further back",
  }),
}).openapi("LogEntries");

export const LogDetails = z.object({
  status: Success,
  items: z.array(Entry),
  neighbours: z.array(Entry),
  count: z.int(),
}).openapi("LogDetails");

export const LogFiles = z.object({
  status: Success,
  files: z.array(z.string()),
  count: z.int(),
  truncated: z.boolean().openapi({ description: "There are older entries than those written" }),
}).openapi("LogFiles");
