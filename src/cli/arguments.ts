import { parseArgs, type ParseArgsConfig } from "node:util";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { nearest } from "#src/kernel/text.ts";

/** Arguments that a command does not take; its caller says how the command is written. */
export class ArgumentsError extends AppError {
  constructor(sentence: Sentence) {
    super("invalid", sentence);
  }
}

/** `parseArgs` of the runtime, with a sentence of ours for what it refuses. Throws `ArgumentsError`. */
export function readOptions<const T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    const mistake = mistakeIn(config);
    if (mistake === undefined) throw error;
    throw new ArgumentsError(mistake);
  }
}

/** The first argument that is not understood; undefined where all are. */
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

/** A value that looks like an option was not meant as one, unless it is joined to it (`--user=-x`). */
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
