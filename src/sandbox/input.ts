import { z } from "zod";

/** Parses a JSON object; returns undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Schema of an object with exactly these fields. Errors name the object `what` and list its fields. */
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
 * Parses a value named `what`. Otherwise returns a sentence with the first invalid field, its value and the allowed
 * values.
 */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
): z.output<Schema> | string {
  const { success, data, error } = schema.safeParse(value, { reportInput: true });
  return success ? data : formatSentence(innermost(error.issues[0]), what);
}

/** Returns the issue of the union member that resembles the value most. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== "invalid_union") return issue;
  const alike = issue.errors.find(([first]) =>
    first !== undefined && (first.path.length > 0 || first.code === "unrecognized_keys")
  );
  const [inner] = alike ?? [];
  return inner ? { ...inner, path: [...issue.path, ...inner.path] } : issue;
}

/** Names of list members in error messages. */
const MEMBERS: Readonly<Record<string, string>> = { steps: "a step", amounts: "an amount" };

function formatSentence(issue: z.core.$ZodIssue | undefined, what: string): string {
  if (!issue) return `${what} cannot be read`;
  if (issue.code === "unrecognized_keys" || issue.code === "custom") return issue.message;
  const keys = issue.path.filter((it) => typeof it === "string");
  const parent = issue.path.at(-1) === keys.at(-1) ? keys.at(-2) : keys.at(-1);
  const owner = parent === undefined ? what : MEMBERS[parent] ?? parent;
  const name = issue.path.at(-1) === keys.at(-1) ? `${keys.at(-1) ?? "body"} of ${owner}` : owner;
  if (issue.input === undefined) return `${name} is missing: ${issue.message}`;
  return `${name} is ${JSON.stringify(issue.input)}: ${issue.message}`;
}
