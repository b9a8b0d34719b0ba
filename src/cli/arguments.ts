import { parseArgs, type ParseArgsConfig } from "node:util";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";

/** Invalid arguments of a command; the caller adds the usage line. */
export class ArgumentsError extends AppError {
  constructor(sentence: Sentence) {
    super("invalid", sentence);
  }
}

/**
 * Parses options as `parseArgs` of the runtime does, but reports errors in our own sentences. Throws `ArgumentsError`.
 */
export function readOptions<const T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    const mistake = mistakeIn(config);
    if (mistake === undefined) throw error;
    throw new ArgumentsError(mistake);
  }
}

/** Returns the error of the first invalid argument, or undefined if all are valid. */
function mistakeIn({ args = [], options = {}, allowPositionals }: ParseArgsConfig) {
  const lenient = { args: [...args], options, strict: false, tokens: true } as const;
  for (const token of parseArgs(lenient).tokens) {
    if (token.kind === "positional" && !allowPositionals) {
      return say`${token.value} is one argument too many`;
    }
    if (token.kind !== "option") continue;
    const known = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (known === undefined) return unknownOption(token.rawName, Object.keys(options));
    if (known.type === "boolean" && token.value !== undefined) {
      return say`${token.rawName} takes no value`;
    }
    if (known.type === "string" && isMissing(token)) return say`${token.rawName} needs a value`;
  }
  return undefined;
}

/** Returns true if the value is missing. A value that looks like an option counts only if joined (`--user=-x`). */
function isMissing(
  { value, inlineValue }: { value: string | undefined; inlineValue: boolean | undefined },
): boolean {
  return value === undefined || (!inlineValue && value.length > 1 && value.startsWith("-"));
}

function unknownOption(name: string, known: readonly string[]): Sentence {
  const meant = nearest(name.replace(/^-+/, ""), known);
  return meant === undefined
    ? say`There is no option ${name}`
    : say`There is no option ${name}; did you mean ${`--${meant}`}?`;
}
