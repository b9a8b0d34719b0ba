import { examine, type Examined } from "#src/compose/doctor.ts";
import { loadConfig } from "#src/config/config.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { readOptions } from "./arguments.ts";
import { probe } from "./exchange.ts";
import { type Io, translated } from "./io.ts";
import { runningProduct } from "./product.ts";

const MARKS = { ok: "✓", warning: "!", failed: "✕" } as const;

/** Exit 0 when nothing failed, 1 otherwise. Warnings do not count. */
export async function doctorCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { json } } = readOptions({
    args: [...args],
    options: { json: { type: "boolean", default: false } },
  });
  const running = await runningProduct(io);
  const found: Examined[] = [];
  for await (const it of running ? atWork(running) : examine(loadConfig(io.env))) {
    found.push(it);
    if (!json) io.out(lineOf(it, io));
  }
  if (json) {
    const plain = found.map(({ what, state, found: is, advice }) => ({
      what: translated(io, what),
      state,
      found: translated(io, say`${is}`),
      ...advice && { advice: translated(io, advice) },
    }));
    io.out(JSON.stringify(plain, null, 2));
  }
  return found.some((it) => it.state === "failed") ? 1 : 0;
}

/** The embedded database belongs to the product that runs, so it is asked. */
async function* atWork(url: string): AsyncGenerator<Examined> {
  const ready = await probe<{ database: string; queue: string }>(`${url}/api/readyz`);
  yield {
    what: say`product`,
    state: ready?.isOk ? "ok" : "failed",
    found: ready
      ? say`it runs at ${url}: database ${ready.body.database}, queue ${ready.body.queue}`
      : say`The product at ${url} does not answer`,
    advice: say`Stop it to have the other parts looked at`,
  };
}

function lineOf({ what, state, found, advice }: Examined, io: Io): string {
  const line = `${MARKS[state]} ${translated(io, what)}: ${translated(io, say`${found}`)}`;
  return advice ? `${line}\n    → ${translated(io, advice)}` : line;
}
