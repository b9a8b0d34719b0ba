import type { Deps } from "#src/deps.ts";
import { entriesBetween, idBefore, type LogEntry, newestId } from "./store.ts";

const FOLDER = "logs";
/** Lines per read; lines of 16 kB may be held in memory. */
const PAGE = 1_000;
/** Limit of written entries, newest first; equals the default retention. */
const MAX = 100_000;
/** Size limit of each file. */
const MAX_BYTES = 512 * 1024 * 1024;

type WriteFilesDeps = Pick<Deps, "clock" | "db" | "storage">;

export interface WrittenLogs {
  /** Paths in the data folder. */
  readonly files: string[];
  readonly count: number;
  readonly truncated: boolean;
}

/** Writes the newest entries, oldest first, as JSON and as text. */
export async function writeLogFiles(deps: WriteFilesDeps): Promise<WrittenLogs> {
  const { clock, db, storage } = deps;
  const upTo = await newestId(db);
  const after = await idBefore(db, { upTo, most: MAX });
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
    for await (const row of entries(db, span)) yield formatLine(row);
  };
  const options = { maxBytes: MAX_BYTES };
  await storage.write(await storage.confine(`${name}.json`), encodeTexts(json()), options);
  await storage.write(await storage.confine(`${name}.txt`), encodeTexts(text()), options);
  return { files: [`${name}.json`, `${name}.txt`], count, truncated: after > 0 };
}

async function* entries(
  db: WriteFilesDeps["db"],
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

/** Formats values as JSON, so that no value can forge a line or send terminal codes. */
function formatLine({ time, level, process, event, requestId, fields }: LogEntry): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${plain(key)}=${quoteCell(value)}`);
  const call = requestId === null ? [] : [`request=${quoteCell(requestId)}`];
  const head = [time, level.padEnd(5), plain(process), plain(event)];
  return `${[...head, ...call, ...pairs].join(" ")}\n`;
}

function plain(text: string): string {
  return text.replace(/[\s\p{Cc}=]/gu, "_");
}

function quoteCell(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

async function* encodeTexts(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
