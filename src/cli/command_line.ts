import { ArgumentsError } from "./arguments.ts";
import { COMMANDS } from "./commands.ts";
import { type Io, translate, usage } from "./io.ts";
import { toSentence } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

const HELP = ["help", "--help", "-h"];

/** Runs a command line, whose first word names the command. Resolves to the exit code. */
export async function runCommandLine(given: readonly string[], own: Io): Promise<number> {
  const { args, lang } = languageIn(given);
  const io = { ...own, env: { ...own.env, ...lang !== undefined && { LC_ALL: lang } } };
  const [name = "help", ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const isHelp = HELP.includes(name);
    const list = isHelp ? io.out : io.err;
    list(translate(io, isHelp ? say`Commands:` : say`There is no command ${name}. Commands:`));
    for (const { written, what } of Object.values(COMMANDS)) {
      list(`  ${written}\n      ${translate(io, what)}`);
    }
    list(translate(io, say`--lang fr|en chooses the language, otherwise LANG.`));
    return isHelp ? 0 : 2;
  }
  if (rest.some((it) => HELP.slice(1).includes(it))) {
    io.out(translate(io, usage(command.written)));
    io.out(translate(io, command.what));
    const verbs = await command.verbs?.();
    if (verbs !== undefined) io.out(translate(io, say`${verbs}`));
    io.out(`  deno task -q cli ${command.example}`);
    return 0;
  }
  try {
    return await (await command.load())(rest, io);
  } catch (error) {
    io.err(translate(io, toSentence(error)));
    if (error instanceof ArgumentsError) io.err(translate(io, usage(command.written)));
    return 2;
  }
}

/** Extracts `--lang fr` or `--lang=fr` at any position. */
function languageIn(given: readonly string[]): { args: string[]; lang: string | undefined } {
  const at = given.findIndex((it) => it === "--lang" || it.startsWith("--lang="));
  if (at < 0) return { args: [...given], lang: undefined };
  const [, own] = (given[at] ?? "").split("=");
  return { args: given.toSpliced(at, own === undefined ? 2 : 1), lang: own ?? given[at + 1] };
}
