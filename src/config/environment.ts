import { say, Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import { z } from "zod";

export type Variables = Readonly<Record<string, string | undefined>>;

export const flag = z.enum(["on", "off"]);
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/**
 * Reads variables with a schema; an empty variable counts as not set. Reports every mistake by the variable's name,
 * without its value.
 */
export function readEnvironment<S extends z.ZodType>(schema: S, env: Variables): z.infer<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((it) => say`${it.path.join(".")}: ${formatSentence(it)}`),
    );
  }
  return parsed.data;
}

function formatSentence(issue: z.core.$ZodIssue): Sentence {
  const given = issue.code === "custom" ? issue.params?.["sentence"] : undefined;
  if (given instanceof Sentence) return given;
  if (issue.code === "invalid_value") return say`${issue.values.join(", ")}: one is expected`;
  if (issue.code === "too_small" && issue.origin !== "string") {
    return say`at least ${issue.minimum}`;
  }
  if (issue.code === "too_big" && issue.origin !== "string") return say`at most ${issue.maximum}`;
  if (issue.code === "too_small") return say`at least ${issue.minimum} characters are expected`;
  if (issue.code === "too_big") return say`at most ${issue.maximum} characters are expected`;
  if (issue.code === "invalid_type") return say`a number is expected`;
  return say`it has not the form that is expected`;
}

/**
 * Matches URLs whose password contains `/`, `?` or `#`: the host ends there, and parsers would report it as invalid.
 */
const ENDS_EARLY = /^[^/]+\/\/[^/?#]*[/?#].*@/;

/**
 * Accepts a URL of one of these protocols, such as `https:`. Surrounding white space is ignored, such as a line end.
 */
export function url(...protocols: readonly string[]) {
  const wanted = protocols.map((it) => `${it}//`);
  return z.string().trim().refine(
    (text) =>
      wanted.some((it) => text.toLowerCase().startsWith(it)) && !/\s/.test(text) &&
      URL.canParse(text) && !ENDS_EARLY.test(text),
    {
      params: {
        sentence:
          say`a URL that begins with one of ${wanted} is expected, without spaces and with / # ? @ : in its name or password percent-encoded`,
      },
    },
  ).refine(
    (text) => !URL.canParse(text) || isEncoded(new URL(text)),
    { params: { sentence: say`its name and password are percent-encoded, a % among them as %25` } },
  );
}

function isEncoded({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

const BULLET = "\n  - ";

/** Error that lists every mistake in the environment for the operator. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly Sentence[];
  readonly sentence: Sentence;

  constructor(problems: readonly Sentence[]) {
    const lines = problems.reduce((text, it) => say`${text}${BULLET}${it}`, say``);
    const sentence = say`The configuration cannot be used:${lines}`;
    super(translate(sentence));
    this.problems = problems;
    this.sentence = sentence;
  }
}
