import { z } from "zod";
import { MessageText } from "./message.ts";
import {
  createNameMap,
  distinct,
  Duration,
  Language,
  Name,
  object,
  refers,
  Text,
  Type,
  Version,
} from "./words.ts";

/** Options of Intl.NumberFormat and Intl.DateTimeFormat in snake_case. */
export const Format = z.record(
  z.string().regex(/^[a-z_]{1,40}$/),
  z.union([z.string().max(100), z.number(), z.boolean()]),
);
export const Align = z.enum(["start", "center", "end"]);

const Column = object({
  label: Text.optional(),
  short: Text.optional(),
  description: Text.optional(),
  type: Type.optional(),
  format: Format.optional(),
  align: Align.optional(),
  width: z.union([z.int().min(1).max(2_000), z.literal("auto")]).optional(),
  lookup: refers("lookup").optional(),
});

const LookupValue = object({
  value: z.union([z.string().max(500), z.number(), z.boolean()]),
  label: Text,
  color: z.string().max(40).optional(),
  icon: z.string().max(60).optional(),
  active: z.boolean().optional(),
  order: z.number().optional(),
});

export const Lookup = z.discriminatedUnion("type", [
  object({ type: z.literal("static"), values: distinct(LookupValue, "value", 10_000) }),
  object({
    type: z.literal("query"),
    connector: refers("connector"),
    query: refers("query"),
    value: z.string().min(1).max(128),
    label: z.string().min(1).max(128),
    search: Name.optional(),
    depends_on: z.record(Name, Name).optional(),
    limit: z.int().min(1).max(1_000).optional(),
    cache: object({ ttl: Duration }).optional(),
  }),
]);

/** Names and formats of columns, codes with their labels, and shared texts. */
export const Dictionary = object({
  version: Version,
  languages: z.array(Language).min(1).max(50).optional(),
  columns: createNameMap("column", Column).optional(),
  lookups: createNameMap("lookup", Lookup).optional(),
  labels: createNameMap("label", MessageText).optional(),
});
