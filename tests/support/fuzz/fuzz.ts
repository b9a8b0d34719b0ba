import { readFile, rm } from "node:fs/promises";
import { type ProductProcess, startProcess } from "../processes.ts";
import { stallsDuring } from "../stalls.ts";
import { createCall, getOperations } from "./calls.ts";
import { type Chance, createChance } from "./chance.ts";
import { fuzzDocument } from "./documents.ts";
import type { Schema } from "./values.ts";
import { newDataFolder } from "#tests/support/folder.ts";

export interface Fuzzed {
  readonly documents: number;
  readonly calls: number;
  /** Failures; empty if all is well. */
  readonly wrong: readonly string[];
}

/** Applies to the process' own work only, because on a shared machine every process may wait longer. */
const STALL_MS = 1_000;
/**
 * Growth of the minimum memory from the second third of the calls to the last. Garbage collection moves single values
 * by 200 MB, and the first third loads code.
 */
const GROWTH_MB = 250;
const ANSWER_MS = 30_000;

/** Feeds untrusted bytes to the parsers, then to every route of a running product. */
export async function fuzz({ seed, seconds }: { seed: number; seconds: number }): Promise<Fuzzed> {
  const chance = createChance(seed);
  const wrong: string[] = [];
  let documents = 0;
  for (const end = performance.now() + seconds * 300; performance.now() < end; documents++) {
    wrong.push(...await fuzzDocument(chance));
  }
  const { calls, wrong: more } = await fuzzRoutes(chance, seconds * 700);
  return { documents, calls, wrong: [...wrong, ...more] };
}

async function fuzzRoutes(chance: Chance, ms: number) {
  const dataDir = await newDataFolder();
  const product = await startProcess("start", {
    DATA_DIR: dataDir,
    POLL_SECONDS: "0",
    RUN_WAIT_SECONDS: "1",
    SERVICE_LOG_LEVEL: "DEBUG",
  });
  try {
    return await attack(product, chance, ms);
  } finally {
    await product[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function attack(product: ProductProcess, chance: Chance, ms: number) {
  const document: Schema = await (await fetch(`${product.url}/openapi.json`)).json();
  const { schemas } = document["components"] as { schemas: Schema };
  const operations = getOperations(document);
  const wrong: string[] = [];
  let calls = 0;
  const round = async () => {
    const call = createCall(chance.pick(operations), schemas, chance);
    calls++;
    const said = await answerTo(product.url, call);
    if (said) wrong.push(`${call.method} ${call.path.slice(0, 200)}: ${said}`);
  };
  for (let warm = 0; warm < 50; warm++) await round();
  const start = performance.now();
  const memory: number[][] = [[], [], []];
  const { ownMs } = await stallsDuring(product, async () => {
    for (let spent = 0; spent < ms; spent = performance.now() - start) {
      await Promise.all([round(), round(), round(), round()]);
      memory[Math.floor(3 * spent / ms)]?.push(await readMemory(product));
    }
  });
  const [, second = NaN, last = NaN] = memory.map((it) => Math.min(...it));
  if (!(last - second <= GROWTH_MB)) {
    wrong.push(
      `The process grew from ${Math.round(second)} to ${Math.round(last)} MB in ${calls} calls`,
    );
  }
  const longest = Math.max(0, ...ownMs);
  if (longest > STALL_MS) wrong.push(`The event loop stood still for ${longest} ms`);
  const bugs = product.output().split("\n").filter((it) => it.includes('"http.unhandled"'));
  return { calls, wrong: [...wrong, ...bugs] };
}

/** Longest URL that Deno's client can send. */
const MAX_URL_LENGTH = 65_000;

/**
 * Returns the fault of the answer, or undefined. 502 and 503 are valid: a peer is unavailable or not configured.
 */
async function answerTo(url: string, { path, ...init }: ReturnType<typeof createCall>) {
  try {
    const answer = await fetch(`${url}${path}`.slice(0, MAX_URL_LENGTH), {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const text = await answer.text();
    return answer.status === 500 || answer.status === 504
      ? `${answer.status} ${text.slice(0, 300)}`
      : undefined;
  } catch (error) {
    return `no answer: ${(error as Error).message}`;
  }
}

async function readMemory({ child }: ProductProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
