import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { addMark } from "./marks.ts";
import { Align, Format } from "./dictionary.ts";
import {
  Arguments,
  ColumnLink,
  complain,
  createNameMap,
  distinct,
  Duration,
  Name,
  object,
  oneOf,
  ParamName,
  refers,
  Text,
  Value,
  Version,
  Whole,
} from "./words.ts";

const Field = z.string().min(1).max(128);
const Op = z.enum([
  "=",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "between",
  "in",
  "not_in",
  "like",
  "ilike",
  "not_like",
  "contains",
  "starts_with",
  "ends_with",
  "is_null",
]);
const When = object({ field: Field, op: Op, value: Value.optional() });

const GridColumn = object({
  field: Field,
  label: Text.optional(),
  width: z.int().min(1).max(2_000).optional(),
  grow: z.number().min(0).max(100).optional(),
  align: Align.optional(),
  pinned: z.enum(["start", "end"]).optional(),
  display: z.enum(["text", "badge", "link", "boolean", "progress", "date", "money", "message"])
    .optional(),
  format: Format.optional(),
  total: z.enum(["sum", "avg", "min", "max", "count"]).optional(),
  hidden: z.boolean().optional(),
  link: ColumnLink.optional(),
});

const Filter = oneOf(
  object({
    field: Field.optional(),
    param: ParamName.optional(),
    op: Op.optional(),
    label: Text.optional(),
  }),
  ["field", "param"],
);

const Grid = object({
  columns: distinct(GridColumn, "field"),
  sort: z.array(z.string().max(129)).max(20).optional(),
  page_size: z.int().min(1).max(1_000).optional(),
  filters: z.array(Filter).max(100).optional(),
  selection: z.enum(["none", "single", "multiple"]).optional(),
  style: z.array(object({ when: When, tone: z.string().max(40) })).max(50).optional(),
});

const Input = object({
  field: Field,
  label: Text.optional(),
  input: z.string().max(40).optional(),
  lookup: refers("lookup").optional(),
  required: z.boolean().optional(),
  readonly: z.union([z.boolean(), object({ on: z.enum(["create", "update"]) })]).optional(),
  width: z.enum(["half", "full"]).optional(),
  visible_when: When.optional(),
  default: Value.optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  step: z.number().positive().optional(),
  rows: z.int().min(1).max(100).optional(),
  help: Text.optional(),
});

const Tab = oneOf(
  object({
    id: Name,
    label: Text,
    fields: distinct(Input, "field").optional(),
    detail: object({ screen: refers("screen"), params: z.record(ParamName, Field).optional() })
      .optional(),
  }),
  ["fields", "detail"],
);

const Operation = object({ query: refers("query"), confirm: Text.optional() });
const Dialog = object({
  width: z.enum(["sm", "md", "lg", "full"]).optional(),
  read: Operation.optional(),
  create: Operation.optional(),
  update: Operation.optional(),
  delete: Operation.optional(),
  tabs: distinct(Tab, "id", 50),
});

const Action = oneOf(
  object({
    id: Name,
    label: Text,
    connector: refers("connector").optional(),
    query: refers("query").optional(),
    endpoint: refers("endpoint").optional(),
    job: refers("job").optional(),
    params: Arguments.optional(),
    on: z.enum(["row", "selection", "screen"]).optional(),
    confirm: Text.optional(),
  }),
  ["query", "endpoint", "job"],
);

const Screen = object({
  label: Text,
  description: Text.optional(),
  source: object({ connector: refers("connector"), query: refers("query") }),
  key: z.array(Field).min(1).max(20).optional(),
  version_field: Field.optional(),
  grid: Grid,
  dialog: Dialog.optional(),
  actions: distinct(Action, "id", 100).optional(),
  lock: object({
    enabled: z.boolean().optional(),
    on: z.enum(["dialog"]).optional(),
    ttl: Duration.optional(),
    renew: Duration.optional(),
    takeover: z.string().max(200).optional(),
  }).optional(),
  export: object({
    enabled: z.boolean().optional(),
    max_rows: Whole.min(1).max(1_000_000).optional(),
    filename: z.string().max(200).optional(),
    columns: z.enum(["visible", "all"]).optional(),
  }).optional(),
  refresh: object({ on: z.array(z.string().max(60)).max(20) }).optional(),
}).superRefine((screen, context) => {
  const needs = screen.dialog || screen.lock?.enabled ||
    (screen.grid.selection ?? "none") !== "none";
  if (!needs || screen.key) return;
  const sentence = say`A screen with a dialog, a lock or a selection names the key of its records`;
  complain(context, { path: ["key"], sentence });
});

/** Grids and dialogs over queries, by app. */
export const Screens = object({
  version: Version,
  screens: addMark(z.record(Name, createNameMap("screen", Screen)), { groups: "app" }),
});

export type ScreenDefinition = z.infer<typeof Screen>;
export type GridColumn = z.infer<typeof GridColumn>;
export type DialogTab = z.infer<typeof Tab>;
export type ScreenAction = z.infer<typeof Action>;
