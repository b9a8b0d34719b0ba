import process from "node:process";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { keepLogs, newLogBuffer } from "#src/features/logs/mod.ts";
import { startAccess } from "#tests/support/access.ts";
import { until } from "#tests/support/until.ts";
import { addTemplate, load, serveOn } from "./guard.ts";
import { median, type Row } from "./table.ts";

const ROUNDS = 12;
const ROUND_MS = 2_000; // a busy machine answers nothing in less

/**
 * What it costs that log entries are kept: a read of one row, with every call logged and with none. Beside the rate, which whatever
 * else the machine does moves, the processor time of a call, until its lines are in the database.
 */
export async function logCost(): Promise<Row[]> {
  return [...await costAt("INFO"), ...await costAt("DEBUG")];
}

async function costAt(level: "INFO" | "DEBUG"): Promise<Row[]> {
  const buffer = newLogBuffer(5_000);
  let keeps = false;
  const log = jsonLinesLog({
    level,
    write: () => {},
    now: () => new Date(Date.now()),
    keep: (line) => keeps ? buffer.add(line) : undefined,
  });
  await using it = await startAccess({ log });
  const stop = new AbortController();
  const keeping = { process: "bench", keepDays: 1, keepEntries: 100_000, secrets: [] };
  const following = keepLogs(it.deps, { ...keeping, buffer }, stop.signal);
  await addTemplate(it);
  const server = await serveOn(it.app); // the same for both, so that nothing else differs
  const rounds: [Measured[], Measured[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++) {
    for (const which of round % 2 ? [0, 1] as const : [1, 0] as const) {
      keeps = which === 1;
      const before = process.cpuUsage();
      const { times } = await load(`${server.url}/api/templates/bench`, {
        token: it.admin,
        ms: ROUND_MS,
        connections: 16,
      });
      await until(() => !buffer.first(1).length, "all lines to be kept");
      const { user, system } = process.cpuUsage(before);
      const measured = {
        rate: times.length / ROUND_MS * 1000,
        ms: (user + system) / 1000 / times.length,
      };
      if (round >= 0) rounds[which].push(measured); // the first round warms up
    }
  }
  await server.close(0);
  stop.abort();
  await following;
  const [off, on] = rounds;
  const rates = on.map(({ rate }, at) => rate / (off[at]?.rate ?? NaN));
  const costs = on.map(({ ms }, at) => ms / (off[at]?.ms ?? NaN) - 1);
  const what = `read of one row at ${level} with entries kept, against not kept`;
  const mid = (of: Measured[], name: keyof Measured) => median(of.map((it) => it[name]));
  return [
    {
      what: `rate, ${what}`,
      figure: `${(median(rates) * 100).toFixed(1)} %`,
      note: `${Math.round(mid(on, "rate"))} and ${Math.round(mid(off, "rate"))} /s`,
    },
    {
      what: `processor time, ${what}`,
      figure: `${(median(costs) * 100).toFixed(1)} % more`,
      note: `${mid(on, "ms").toFixed(3)} and ${mid(off, "ms").toFixed(3)} ms a call`,
    },
  ];
}

interface Measured {
  /** Calls a second. */
  readonly rate: number;
  /** Processor time of this process for each call. */
  readonly ms: number;
}
