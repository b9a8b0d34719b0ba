import { z } from "zod";
import { toSentences } from "#src/kernel/i18n/schema.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import { DURATION, milliseconds, SIZE } from "#src/kernel/units.ts";
import { addMark, type DefinitionKind } from "./marks.ts";
import { problemOfPattern } from "./pattern.ts";
import { resolvePreset } from "./preset.ts";
import { readTyped } from "./typed.ts";

/** Vocabulary of all sections. An object rejects unknown keys, except those that begin with `x-`. */
export const object = z.strictObject;

/** Name that can be part of a permission code; it never begins with `_`. */
export const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,62}$/;
export const Name = z.string().regex(NAME);
export const Version = z.literal(1);

/** Returns a map whose keys are names of a kind. */
export function createNameMap<V extends z.ZodType>(kind: DefinitionKind, value: V) {
  return addMark(z.record(Name, value), { defines: kind });
}

/** Returns a name defined elsewhere. */
export function refers(kind: DefinitionKind) {
  return addMark(z.string().min(1).max(200), { refers: kind });
}

const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;
export const Language = z.string().regex(LANGUAGE);

/** Text for users: the same in every language, or one per language. */
export const Text = addMark(
  z.union([z.string().max(2_000), z.record(Language, z.string().max(2_000))]),
  { text: true },
);
export type LocalText = z.infer<typeof Text>;

/** Ten years: later moments can still be stored and shown. */
const MAX_LENGTH = "3650d";
export const Duration = z.string().regex(DURATION).superRefine((given, context) => {
  if (!DURATION.test(given) || milliseconds(given) <= milliseconds(MAX_LENGTH)) return;
  complain(context, { sentence: say`${given} is longer than ${MAX_LENGTH}` });
});
export const Size = z.string().regex(SIZE);
export const Whole = z.int().min(0).max(1_000_000_000);

/** May name variables of the environment, `${NAME}` or `${NAME:-default}`. */
export const Given = () => addMark(z.string().max(2_000), { environment: true });
export const Secret = () => addMark(z.string().max(10_000), { environment: true, secret: true });

export const TYPES = [
  "string",
  "integer",
  "number",
  "decimal",
  "boolean",
  "date",
  "time",
  "datetime",
  "uuid",
  "json",
  "binary",
] as const;
const TYPE = new RegExp(`^(${TYPES.join("|")}|array<(${TYPES.join("|")})>)$`);
export const Type = z.string().regex(TYPE);

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const Value = z.union([Scalar, z.array(Scalar).max(1_000)]);

const ParamShape = {
  type: Type,
  label: Text.optional(),
  description: Text.optional(),
  required: z.boolean().optional(),
  default: Value.optional(),
  /** `claims.<name>` or `user.<field>`: bound from the caller, never from the request. */
  from: z.string().regex(/^(claims|user)\.[A-Za-z_]\w{0,62}$/).optional(),
  min: z.union([z.number(), z.string()]).optional(),
  max: z.union([z.number(), z.string()]).optional(),
  min_length: Whole.optional(),
  max_length: Whole.optional(),
  pattern: z.string().max(500).optional(),
  enum: z.array(Scalar).min(1).max(1_000).optional(),
  lookup: refers("lookup").optional(),
};
export const Param = object(ParamShape).superRefine(checkParam);
/** Parameter of an HTTP endpoint; `style` is the form of a list in the URL. */
export const EndpointParam = object({
  ...ParamShape,
  style: z.enum(["csv", "repeat"]).optional(),
}).superRefine(checkParam);
/** Parameter of a dashboard; `input` is its control. */
export const InputParam = object({
  ...ParamShape,
  input: z.string().max(40).optional(),
  values: z.array(Scalar).max(1_000).optional(),
}).superRefine(checkParam);

/** Any day: a default such as `today` has the right type on every day. */
const SOME_DAY = new Date(0);

/** Validates the values in a definition against its type, so that no call fails on them. */
function checkParam(
  { type, default: preset, min, max, pattern, from }: {
    readonly type: string;
    readonly default?: z.infer<typeof Value> | undefined;
    readonly min?: number | string | undefined;
    readonly max?: number | string | undefined;
    readonly pattern?: string | undefined;
    readonly from?: string | undefined;
  },
  context: unknown,
): void {
  const read = (name: string, of: string, value: unknown) => {
    const reading = value === undefined || value === null ? {} : readTyped(of, value);
    if ("problem" in reading) {
      complain(context, { path: [name], sentence: say`${String(value)} ${reading.problem}` });
    }
  };
  const item = /^array<(.+)>$/.exec(type)?.[1] ?? type;
  read("default", type, resolvePreset({ type, default: preset }, SOME_DAY));
  read("min", item, min);
  read("max", item, max);
  const problem = pattern === undefined ? undefined : problemOfPattern(pattern);
  if (problem) complain(context, { path: ["pattern"], sentence: problem });
  const field = from?.startsWith("user.") ? from.slice("user.".length) : undefined;
  if (field !== undefined && !USER_FIELDS.some((it) => it === field)) {
    const sentence = say`a user has ${USER_FIELDS.join(", ")}, not ${field}`;
    complain(context, { path: ["from"], sentence });
  }
}

/** Fields of the caller that a parameter can use. */
const USER_FIELDS = ["username", "display_name", "email", "language"] as const;
const PARAM = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
export const ParamName = z.string().regex(PARAM);

const TABLE = /^[^.\s]{1,128}(\.[^.\s]{1,128}){0,2}$/;
/** Name in a database: `orders`, `app.orders`; its parts are quoted when used. */
export const TableName = z.string().regex(TABLE);

/** Values for the parameters of a call, and `{name}` placeholders in texts. */
export const Arguments = z.record(ParamName, Value);

/** Below `base_url` of a connector: two slashes begin another host. */
const BELOW = /^\/(?![/\\])/;
export const Below = z.string().regex(BELOW).max(2_000);

/** `dialog`, or a path of the console. A browser ignores line breaks in an address and reads a backslash as a slash. */
const COLUMN_LINK = /^(?:[^/\\:\s]*|\/(?![/\\])[^\\\s]*)$/;
const LINK_EXAMPLE = "/invoices/{doc}-{dct}-{kco}";
/** Target of the values of a column; `{name}` becomes the encoded value of a column. */
export const ColumnLink = z.string().regex(COLUMN_LINK).max(200);

/** Sentences for texts that do not match a pattern. */
const PATTERNS: ReadonlyMap<string, Sentence> = new Map([
  [
    NAME.source,
    say`a name: a letter, then at most 62 letters, digits, dots, dashes or underscores`,
  ],
  [LANGUAGE.source, say`a language such as fr or pt-BR`],
  [DURATION.source, say`a duration with its unit: 500ms, 15s, 5m, 2h or 7d`],
  [SIZE.source, say`a size with its unit: 64KiB or 5MiB`],
  [TYPE.source, say`a type: ${TYPES.join(", ")}, or array<…> of one`],
  [TABLE.source, say`the name of a table: orders, or app.orders with its schema`],
  [PARAM.source, say`the name of a parameter: letters, digits and underscores`],
  [BELOW.source, say`a path that begins with one slash: /orders`],
  [
    COLUMN_LINK.source,
    say`dialog, or a path of the console that begins with one slash: ${LINK_EXAMPLE}`,
  ],
]);

/** Describes the expected form of a text; undefined for other mistakes. */
export function describeForm(issue: z.core.$ZodIssue): Sentence | undefined {
  if (issue.code !== "invalid_format") return undefined;
  const { pattern = "" } = issue as { pattern?: string };
  for (const [source, words] of PATTERNS) {
    if (pattern === `/${source}/` || pattern === source) return words;
  }
  return undefined;
}

/** Returns everything that is wrong with one definition that is not stored, in the words of the sections. */
export function getProblems(error: z.ZodError, given: unknown, root: string): Sentence[] {
  const issues = error.issues.map((issue) => {
    const form = describeForm(issue);
    return form ? { ...issue, params: { sentence: say`${form} is expected` } } : issue;
  });
  return toSentences({ issues }, given, root);
}

type Context = { addIssue(issue: z.core.$ZodRawIssue): void };

/** Adds a failure of our own check, with a sentence in both languages. */
export function complain(
  context: unknown,
  { path = [], sentence }: { path?: (string | number)[]; sentence: Sentence },
): void {
  const issue = {
    code: "custom" as const,
    path,
    message: translate(sentence),
    params: { sentence },
  };
  (context as Context).addIssue(issue as unknown as z.core.$ZodRawIssue);
}

/** Validates that the items differ in one of their fields. */
export function distinct<S extends z.ZodType>(item: S, field: string, most = 500) {
  return z.array(item).max(most).superRefine((items, context) => {
    const seen = new Set<unknown>();
    items.forEach((it, at) => {
      const value = (it as Record<string, unknown>)[field];
      if (value !== undefined && seen.has(value)) {
        complain(context, {
          path: [at, field],
          sentence: say`${field} ${value} stands here twice`,
        });
      }
      seen.add(value);
    });
  });
}

/** Validates that exactly one of these keys is present. */
export function oneOf<S extends z.ZodType>(schema: S, keys: readonly string[]) {
  return schema.superRefine((value, context) => {
    const given = keys.filter((it) => (value as Record<string, unknown>)[it] !== undefined);
    if (given.length === 1) return;
    complain(context, {
      sentence: say`exactly one of ${keys.join(", ")} is expected, not ${given.join(", ") || 0}`,
    });
  });
}
