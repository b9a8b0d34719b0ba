import { z } from "zod";

export type Variables = Readonly<Record<string, string | undefined>>;

export const flag = z.enum(["on", "off"]);
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** An empty variable is one that is not set. Every mistake is said, by the variable's name and never with its value. */
export function readEnvironment<S extends z.ZodType>(schema: S, env: Variables): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((it) => `${it.path.join(".")}: ${it.message}`));
  }
  return parsed.data;
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((it) => `  - ${it}`).join("\n")}`);
    this.problems = problems;
  }
}
