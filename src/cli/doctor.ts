import { examine } from "#src/compose/doctor.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Examined } from "#src/ports/examined.ts";
import { readOptions } from "./arguments.ts";
import { callProduct } from "./call_product.ts";
import { probe } from "./exchange.ts";
import { type Io, translate } from "./io.ts";
import { runningProduct } from "./product.ts";

const MARKS = { ok: "✓", warning: "!", failed: "✕" } as const;

/** Exits with 0 if no check failed, otherwise with 1. Warnings do not count. */
export async function doctorCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { json } } = readOptions({
    args: [...args],
    options: { json: { type: "boolean", default: false } },
  });
  const running = await runningProduct(io);
  const found: Examined[] = [];
  for await (const it of running ? atWork(io, running) : examine(loadConfig(io.env))) {
    found.push(it);
    if (!json) io.out(formatLine(it, io));
  }
  if (json) {
    const plain = found.map(({ what, state, found: is, advice }) => ({
      what: translate(io, what),
      state,
      found: translate(io, say`${is}`),
      ...advice && { advice: translate(io, advice) },
    }));
    io.out(JSON.stringify(plain, null, 2));
  }
  return found.some((it) => it.state === "failed") ? 1 : 0;
}

interface Shown {
  readonly what: string;
  readonly state: Examined["state"];
  readonly found: string;
  readonly advice: string | null;
}

/**
 * Asks the running product to examine itself, because it locks its embedded database. The caller needs `setup:read`.
 */
async function* atWork(io: Io, url: string): AsyncGenerator<Examined> {
  const ready = await probe<{ database: string; queue: string }>(`${url}/api/readyz`);
  const examined = ready?.isOk
    ? await callProduct<{ items: readonly Shown[] }>(io, `${url}/api/setup/doctor`).catch(
      createDenial,
    )
    : undefined;
  yield {
    what: say`product`,
    state: ready?.isOk ? "ok" : "failed",
    found: ready
      ? say`it runs at ${url}: database ${ready.body.database}, queue ${ready.body.queue}`
      : say`The product at ${url} does not answer`,
    ...examined instanceof AppError && { advice: examined.sentence },
  };
  if (examined === undefined || examined instanceof AppError) return;
  for (const { what, state, found, advice } of examined.items) {
    yield { what: say`${what}`, state, found, ...advice !== null && { advice: say`${advice}` } };
  }
}

/** Returns the error for a caller without a session; its sentence says what to do. */
function createDenial(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function formatLine({ what, state, found, advice }: Examined, io: Io): string {
  const line = `${MARKS[state]} ${translate(io, what)}: ${translate(io, say`${found}`)}`;
  return advice ? `${line}\n    → ${translate(io, advice)}` : line;
}
