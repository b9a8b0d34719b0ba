import type { Deps } from "#src/deps.ts";
import { entriesBetween, idBefore, type LogEntry, newestId } from "./store.ts";

const FOLDER = "logs";
/** What is read at once: lines of 16 kB each may wait in memory. */
const PAGE = 1_000;
/** What is written is the newest entries, as many as are kept where nobody chose otherwise. */
const MOST = 100_000;
/** Of each file. */
const MAX_BYTES = 512 * 1024 * 1024;

type Needs = Pick<Deps, "clock" | "db" | "storage">;

export interface WrittenLogs {
  /** Paths in the data folder. */
  readonly files: string[];
  readonly count: number;
  readonly truncated: boolean;
}

/** Writes the newest entries, oldest first, as JSON and as text. */
export async function writeLogFiles(needs: Needs): Promise<WrittenLogs> {
  const { clock, db, storage } = needs;
  const upTo = await newestId(db);
  const after = await idBefore(db, { upTo, most: MOST });
  const span = { after, upTo };
  const name = `${FOLDER}/${clock.now().toISOString().replaceAll(":", "-")}`;
  let count = 0;
  const json = async function* () {
    for await (const row of entries(db, span)) {
      yield `${count++ ? ",\n" : "[\n"}${JSON.stringify(row)}`;
    }
    yield count ? "\n]\n" : "[]\n";
  };
  const text = async function* () {
    for await (const row of entries(db, span)) yield lineOf(row);
  };
  const options = { maxBytes: MAX_BYTES };
  await storage.write(await storage.confine(`${name}.json`), encoded(json()), options);
  await storage.write(await storage.confine(`${name}.txt`), encoded(text()), options);
  return { files: [`${name}.json`, `${name}.txt`], count, truncated: after > 0 };
}

async function* entries(
  db: Needs["db"],
  { after: from, upTo }: { after: number; upTo: number },
): AsyncGenerator<LogEntry> {
  for (let after = from;;) {
    const rows = await entriesBetween(db, { after, upTo }, PAGE);
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Values as JSON, so that nothing inside one can forge a line or speak to a terminal. */
function lineOf({ time, level, process, event, requestId, fields }: LogEntry): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${plain(key)}=${quoted(value)}`);
  const call = requestId === null ? [] : [`request=${quoted(requestId)}`];
  const head = [time, level.padEnd(5), plain(process), plain(event)];
  return `${[...head, ...call, ...pairs].join(" ")}\n`;
}

function plain(text: string): string {
  return text.replace(/[\s\p{Cc}=]/gu, "_");
}

function quoted(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
