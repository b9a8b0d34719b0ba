import { translate } from "#src/kernel/i18n/sentence.ts";
import { availableParallelism, homedir } from "node:os";
import { z } from "zod";
import { type Children, openChildren } from "#src/adapters/children/mod.ts";
import { measureWork } from "#src/adapters/telemetry/measure_work.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ChildDied, type ChildExit } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import {
  transformError,
  type TransformInput,
  type TransformOutput,
  type Xslt,
} from "#src/ports/xslt.ts";
import { type CompiledStylesheet, createCompiler } from "./compiler.ts";
import { notAllowed } from "./compile_messages.ts";
import type { Modules } from "./modules.ts";
import { together } from "./together.ts";

const TIMEOUT = 30_000;
const MEMORY = 256;
/** Number of idle processes that wait for more work of their stylesheet. */
const IDLE = 2;
/** Bytes a transform may answer with: a document, and where its values came from. */
const MAX_ANSWER = MAX_DOCUMENT_BYTES + 1024 * 1024;

/** Location of stylesheets, and number of parallel transformations. */
export interface SaxonOptions {
  /** Allowed stylesheets and modules. */
  readonly modules: Modules;
  readonly log: Log;
  /** Transforms at once; default one per core. */
  readonly size?: number;
  /** Keeps compiled stylesheets between starts. */
  readonly cacheDir?: string;
  /** MB of heap a transform may use; default 256. */
  readonly memory?: number;
  /** Environment of the processes, hidden from stylesheets; the runtime finds its packages with it. */
  readonly environment?: Readonly<Record<string, string>>;
}

const TIMED = {
  name: "transform",
  metric: "passerelle_transform_duration_seconds",
  outcome: (result: object) => "error" in result ? "failed" : "done",
} as const;

const Answer = z.strictObject({
  output: z.string().optional(),
  messages: z.array(z.string()),
  error: z.strictObject({
    message: z.string(),
    code: z.string(),
    line: z.int(),
    complaint: z.strictObject({
      element: z.string(),
      value: z.string(),
      fr: z.string(),
      en: z.string(),
    }).optional(),
  }).optional(),
});
type Answer = z.infer<typeof Answer>;
const Answers = z.array(Answer).min(1);

/** SaxonJS in child processes, each for one stylesheet (by content) in its life. */
export function createSaxonXslt(options: SaxonOptions): Xslt {
  const environment = options.environment ?? { HOME: homedir() };
  const { modules, cacheDir, memory = MEMORY, log } = options;
  const size = Math.max(1, options.size ?? availableParallelism());
  const compiler = createCompiler({ modules, cacheDir, environment });
  const entry = new URL("./transform_child.ts", import.meta.url);
  const program = { name: "stylesheets", entry, memory, environment };
  const children = openChildren({
    program,
    log,
    busy: size,
    kept: size + IDLE,
    maxAnswer: MAX_ANSWER,
  });

  const gathered = together({
    lanes: size,
    run: ({ compiled, params, ...rest }: TransformTask, sources) => {
      const read = (value: unknown) => Answers.max(sources.length).parse(value);
      return runIn(children, compiled, { ...rest, job: { sources, params }, read });
    },
  });

  const transform: Xslt["transform"] = async (input, { signal, timeoutMs = TIMEOUT } = {}) => {
    const { stylesheet, source, params = {}, instead } = input;
    const compiled = instead
      ? await compiler.recheck(stylesheet, { signal, instead })
      : await compiler.compiled(stylesheet);
    if (source.trim() === "") {
      throw sourceFailure(stylesheet, { message: "it is empty", line: 0 });
    }
    const task = { compiled, stylesheet, params, timeoutMs, signal };
    const answer = await gathered({ kind: getKind(task), task, source });
    return { ...getOutput(input, answer), sources: compiled.sources };
  };
  return {
    transform: (...given) => measureWork(TIMED, () => transform(...given)),
    check: async (stylesheet, { signal, instead } = {}) => {
      const compiled = await compiler.recheck(stylesheet, { signal, instead });
      const load = { job: {}, read: () => undefined, alone: true };
      await runIn(children, compiled, { stylesheet, ...load, timeoutMs: TIMEOUT, signal });
    },
    close: async () => {
      compiler.close();
      await children.close();
    },
  };
}

interface Job<Answer> {
  readonly stylesheet: string;
  readonly job: object;
  readonly read: (value: unknown) => Answer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly alone?: boolean;
}

/** Gives a job to a child of the stylesheet; without a source it only loads it. */
async function runIn<Answer>(
  children: Children,
  compiled: CompiledStylesheet,
  { stylesheet, timeoutMs, ...job }: Job<Answer>,
): Promise<Answer> {
  const { hash, sef } = compiled;
  const primer = { key: hash, value: () => ({ sef }) };
  try {
    return await children.run({ ...job, tenant: hash, primer, deadlineMs: timeoutMs });
  } catch (error) {
    if (error instanceof ChildDied) throw errorOfDeath(stylesheet, { error, timeoutMs });
    if (!(error instanceof AppError) || error.code !== "refused") throw error;
    throw notAllowed(compiled.closure, error.details);
  }
}

/** All but the source of a transform. */
interface TransformTask {
  readonly compiled: CompiledStylesheet;
  readonly stylesheet: string;
  readonly params: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns a key that is equal for tasks that can share a message: they are also cancelled together. */
function getKind({ compiled, stylesheet, params, timeoutMs, signal }: TransformTask): string {
  return JSON.stringify([compiled.hash, stylesheet, params, timeoutMs, findNumber(signal)]);
}

const numbers = new WeakMap<AbortSignal, number>();
let numbered = 0;

function findNumber(signal: AbortSignal | undefined): number {
  if (signal === undefined) return 0;
  const number = numbers.get(signal) ?? ++numbered;
  numbers.set(signal, number);
  return number;
}

function getOutput(
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

/** Uses a message in one language for both. */
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

/**
 * Returns the error for a dead process. The stylesheet is to blame, unless the process was killed or could not
 * start; that may be tried again.
 */
function errorOfDeath(
  stylesheet: string,
  { error, timeoutMs }: { readonly error: ChildDied; readonly timeoutMs: number },
): Error {
  const { cause } = error.death;
  if (cause === "killed" || cause === "start" || cause === "budget") return error;
  const [en, fr] = formatSentence(error.death, timeoutMs / 1000);
  return transformError({
    kind: cause === "deadline" ? "timeout" : "crash",
    stylesheet,
    messageFr: `${stylesheet} ${fr}`,
    file: stylesheet,
    line: 0,
    errorCode: "",
  }, `${stylesheet} ${en}`);
}

function formatSentence(
  { cause, how }: ChildExit,
  seconds: number,
): readonly [en: string, fr: string] {
  if (cause === "deadline") {
    return [
      `did not finish within ${seconds} s and was stopped`,
      `n'a pas fini en ${seconds} s et a été arrêté`,
    ];
  }
  if (cause === "memory") {
    return [
      "needed more memory than allowed and was stopped",
      "a demandé plus de mémoire que permis et a été arrêté",
    ];
  }
  return [
    `ended its process (${translate(how)})`,
    `a fait tomber le processus qui l'exécutait (${translate(how, "fr")})`,
  ];
}
