import { z } from "zod";

/** The object a JSON text holds; undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** An object of these fields and no others; a refusal calls it `what` and lists its fields. */
export function exactly<Fields extends z.ZodRawShape>(what: string, fields: Fields) {
  return z.strictObject(fields, {
    error: ({ code, keys, input }) => {
      const [key] = code === "unrecognized_keys" ? keys as string[] : [];
      if (key === undefined) return undefined;
      const shown = JSON.stringify((input as Record<string, unknown>)[key]);
      return `${what} has no field ${key} (${shown}): there are ${Object.keys(fields).join(", ")}`;
    },
  });
}

/**
 * What the schema makes of a value called `what`; else a sentence that names the first field at fault, what it holds and
 * what it may hold.
 */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> | string {
  const { success, data, error } = schema.safeParse(value, { reportInput: true });
  return success ? data : sentenceOf(innermost(error.issues[0]), what);
}

/** Of a field that may be one thing or another the complaint of the one it resembles. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const alike = issue.errors.find(([first]) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  const [inner] = alike ?? [];
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

/** How members of a list are called. */
const MEMBERS: Readonly<Record<string, string>> = { steps: "a step", amounts: "an amount" };

function sentenceOf(issue: z.core.$ZodIssue | undefined, what: string): string {
  if (!issue) return `${what} cannot be read`;
  if (issue.code === "unrecognized_keys" || issue.code === "custom") return issue.message;
  const keys = issue.path.filter((it) => typeof it === "string");
  const parent = issue.path.at(-1) === keys.at(-1) ? keys.at(-2) : keys.at(-1);
  const owner = parent === undefined ? what : MEMBERS[parent] ?? parent;
  const name = issue.path.at(-1) === keys.at(-1) ? `${keys.at(-1) ?? "body"} of ${owner}` : owner;
  if (issue.input === undefined) return `${name} is missing: ${issue.message}`;
  return `${name} is ${JSON.stringify(issue.input)}: ${issue.message}`;
}
