import { z } from "@hono/zod-openapi";
import { ShownParam } from "#src/features/charts/mod.ts";
import { Looks, ShownLookup } from "#src/features/dictionary/mod.ts";

export const AppPath = z.object({ app: z.string().max(100) });
export const ScreenPath = z.object({ app: z.string(), screen_id: z.string() });

const Listed = z.object({
  app: z.string(),
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
}).openapi("ListedScreen");
export const ScreenList = z.object({
  language: z.string(),
  revision: z.string(),
  screens: z.array(Listed),
  total: z.int(),
}).openapi("ScreenList");

const GridColumn = z.object({
  field: z.string(),
  ...Looks,
  grow: z.number().optional(),
  pinned: z.enum(["start", "end"]).optional(),
  display: z.enum(["text", "badge", "link", "boolean", "progress", "date", "money"]).optional(),
  total: z.enum(["sum", "avg", "min", "max", "count"]).optional(),
  hidden: z.boolean().optional(),
  link: z.string().optional(),
  sortable: z.literal(true).optional(),
  missing: z.literal(true).optional(),
}).openapi("GridColumn");
const GridFilter = z.object({
  field: z.string().optional(),
  param: z.string().optional(),
  op: z.string().optional(),
  label: z.string(),
  type: z.string().optional(),
  required: z.boolean().optional(),
  lookup: z.string().optional(),
}).openapi("GridFilter");
const Condition = z.object({ field: z.string(), op: z.string(), value: z.unknown().optional() });
const Input = z.object({
  field: z.string(),
  label: z.string(),
  description: z.string().optional(),
  type: z.string().optional(),
  input: z.string(),
  lookup: z.string().optional(),
  help: z.string().optional(),
  required: z.boolean().optional(),
  readonly: z.union([
    z.boolean(),
    z.object({
      on: z.enum(["create", "update"]).openapi({
        description: "The operation on which it cannot be changed",
      }),
    }),
  ]).optional(),
  width: z.enum(["half", "full"]).optional(),
  visible_when: Condition.optional(),
  default: z.unknown().optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  step: z.number().optional(),
  rows: z.int().optional(),
}).openapi("DialogField");
const Tab = z.object({
  id: z.string(),
  label: z.string(),
  fields: z.array(Input).optional(),
  detail: z.object({ screen: z.string(), params: z.record(z.string(), z.string()).optional() })
    .optional(),
}).openapi("DialogTab");
const Operation = z.object({
  query: z.string(),
  confirm: z.string().optional(),
  params: z.record(z.string(), ShownParam),
}).openapi("DialogOperation");
const Dialog = z.object({
  width: z.enum(["sm", "md", "lg", "full"]),
  read: Operation.optional(),
  create: Operation.optional(),
  update: Operation.optional(),
  delete: Operation.optional(),
  tabs: z.array(Tab),
}).openapi("ScreenDialog");
const Action = z.object({
  id: z.string(),
  label: z.string(),
  connector: z.string().optional(),
  query: z.string().optional(),
  writes: z.boolean().optional(),
  endpoint: z.string().optional(),
  job: z.string().optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  on: z.enum(["row", "selection", "screen"]),
  confirm: z.string().optional(),
}).openapi("ScreenAction");

export const Screen = z.object({
  language: z.string(),
  revision: z.string(),
  app: z.string(),
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  source: z.object({ connector: z.string(), query: z.string(), allowed: z.boolean() }),
  key: z.array(z.string()).optional(),
  version_field: z.string().optional(),
  grid: z.object({
    columns: z.array(GridColumn),
    sort: z.array(z.string()),
    page_size: z.int().optional(),
    filters: z.array(GridFilter),
    selection: z.enum(["none", "single", "multiple"]),
    style: z.array(z.object({ when: Condition, tone: z.string() })),
  }),
  dialog: Dialog.optional(),
  actions: z.array(Action),
  lock: z.object({ ttl: z.string(), renew: z.string(), takeover: z.boolean() }).optional(),
  export: z.object({ max_rows: z.int().optional(), columns: z.enum(["visible", "all"]) })
    .optional(),
  refresh: z.object({ on: z.array(z.string()) }).optional(),
  lookups: z.record(z.string(), ShownLookup),
}).openapi("Screen");

const Key = z.record(z.string(), z.unknown()).openapi({
  description: "Values of the columns the screen's `key` names",
  example: { order_no: "SO-00000001" },
});
const Holder = z.object({ username: z.string(), display_name: z.string() }).openapi("LockHolder");
export const LockBody = z.object({
  key: Key,
  takeover: z.boolean().default(false).openapi({
    description:
      "Takes the lock from its holder; needs the permission the screen names, `users:write` by default",
  }),
}).strict().openapi("LockRequest");
export const Lock = z.object({
  key: z.record(z.string(), z.string()),
  token: z.string(),
  holder: Holder,
  acquired_at: z.string(),
  expires_at: z.string(),
}).openapi("RecordLock");
const HeldLock = Lock.omit({ token: true }).openapi("HeldLock");
export const Locks = z.object({ locks: z.array(HeldLock), total: z.int() }).openapi("RecordLocks");
export const ReleaseBody = z.object({ key: Key.optional(), token: z.string().max(100).optional() })
  .strict()
  .openapi("LockRelease");
export const ReleaseQuery = z.object({
  key: z.string().max(10_000).optional().openapi({
    description: "The key as JSON, where a body does not arrive",
    example: '{"order_no":"SO-00000001"}',
  }),
  token: z.string().max(100).optional().openapi({ description: "Of the lock, likewise" }),
});
export const Released = z.object({ ok: z.literal(true), released: z.boolean() })
  .openapi("LockReleased");

export const ExportBody = z.object({
  params: z.record(z.string(), z.unknown()).default({}).openapi({
    description: "Parameters of the screen's query by name",
    example: { from: "2026-01-01" },
  }),
  filters: z.unknown().optional().openapi({
    description: "The active filters, as `q` of a query",
    example: [{ status: { in: ["open"] } }],
  }),
  sort: z.array(z.string().max(129)).max(20).optional().openapi({
    description: "Columns, `-` for descending",
    example: ["-order_date"],
  }),
  columns: z.array(z.string().max(128)).min(1).max(500).optional().openapi({
    description: "Fields of the grid in their order; those that are visible where it is left out",
    example: ["order_no", "amount"],
  }),
}).strict().openapi("ScreenExportRequest");
