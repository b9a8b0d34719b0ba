import { availableParallelism, homedir } from "node:os";
import { AppError } from "#src/kernel/errors.ts";
import {
  transformError,
  type TransformInput,
  type TransformOutput,
  type Xslt,
} from "#src/ports/xslt.ts";
import { type Answer, type Death, startChild } from "./child.ts";
import { createCompiler } from "./compiler.ts";
import { createPool } from "./pool.ts";

const TIMEOUT = 30_000;
const MEMORY = 256;

export interface SaxonOptions {
  /** Folders stylesheets and their modules may lie in. */
  readonly roots: readonly string[];
  /** Processes side by side; default one per core. */
  readonly size?: number;
  /** Keeps compiled stylesheets between starts. */
  readonly cacheDir?: string;
  /** MB of heap a transform may use; default 256. */
  readonly memory?: number;
  /** Environment of the processes, which a stylesheet cannot see; what the runtime needs to find its packages. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** SaxonJS in processes that have no right to files, network or script. */
export function createSaxonXslt(options: SaxonOptions): Xslt {
  const environment = options.environment ?? { HOME: homedir() };
  const { roots, cacheDir, memory = MEMORY } = options;
  const size = Math.max(1, options.size ?? availableParallelism());
  const compiler = createCompiler({ roots, cacheDir, environment });
  const pool = createPool(size, () => startChild({ memory, environment }));
  return {
    transform: async (input, { signal, timeoutMs = TIMEOUT } = {}) => {
      const { hash, sef, sources } = await compiler.compiled(input.stylesheet);
      const { source, params = {} } = input;
      if (source.trim() === "") {
        throw sourceFailure(input.stylesheet, { message: "it is empty", line: 0 });
      }
      const answer = await pool.run({ hash, sef, source, params, timeoutMs, signal });
      if ("timeout" in answer) throw tooSlow(input, timeoutMs);
      return "death" in answer ? fallen(input, answer) : { ...outputOf(input, answer), sources };
    },
    check: async (stylesheet) => void await compiler.recheck(stylesheet),
    close: async () => {
      compiler.close();
      await pool.close();
    },
  };
}

function outputOf(
  { stylesheet }: TransformInput,
  answer: Answer,
): Omit<TransformOutput, "sources"> {
  const { output = "", messages, error } = answer;
  if (!error) return { output, messages };
  const place = { file: stylesheet, line: error.line, errorCode: error.code, stylesheet };
  if (error.message.startsWith("Terminated with ")) {
    const { fr, en, ...about } = error.complaint ?? sentence(messages.at(-1) ?? error.message);
    throw transformError({ ...place, ...about, kind: "stopped", messageFr: fr }, en);
  }
  const unread = / at line (\d+) column \d+$/.exec(error.message)?.[1];
  if (error.code === "FODC0002" && unread) {
    throw sourceFailure(stylesheet, { message: error.message, line: Number(unread) + 1 });
  }
  throw transformError({
    ...place,
    kind: "runtime",
    messageFr: `${stylesheet} a échoué : ${error.message}`,
  }, `${stylesheet} failed: ${error.message}`);
}

/** A message in one language speaks for both. */
function sentence(said: string): { fr: string; en: string } {
  return { fr: said, en: said };
}

function sourceFailure(stylesheet: string, { message, line }: { message: string; line: number }) {
  return transformError({
    kind: "source",
    stylesheet,
    messageFr: `La source n'est pas du XML bien formé : ${message}`,
    file: "",
    line,
    errorCode: "",
  }, `The source is not well-formed XML: ${message}`);
}

function tooSlow({ stylesheet }: TransformInput, timeoutMs: number): Error {
  const seconds = timeoutMs / 1000;
  return transformError({
    kind: "timeout",
    stylesheet,
    messageFr: `${stylesheet} n'a pas fini en ${seconds} s et a été arrêté`,
    file: stylesheet,
    line: 0,
    errorCode: "",
  }, `${stylesheet} did not finish within ${seconds} s and was stopped`);
}

function fallen({ stylesheet }: TransformInput, death: Death): never {
  const memory = /heap|memory/i.test(death.said);
  if (!memory && /npm package|not found|permission|cached/i.test(death.said)) {
    throw new AppError(
      "unavailable",
      `The stylesheet processor does not start: ${death.said.trim()}`,
    );
  }
  throw transformError(
    {
      kind: "crash",
      stylesheet,
      messageFr: memory
        ? `${stylesheet} a demandé plus de mémoire que permis et a été arrêté`
        : `Le processus qui exécutait ${stylesheet} est tombé`,
      file: stylesheet,
      line: 0,
      errorCode: "",
    },
    memory
      ? `${stylesheet} needed more memory than allowed and was stopped`
      : `The process running ${stylesheet} died`,
  );
}
