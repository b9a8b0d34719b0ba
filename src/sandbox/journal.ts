import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createHash } from "node:crypto";
import type { Entry } from "./model.ts";

const KEPT = 20_000;

/** Append-only record. `settled` resolves when everything appended before it is on disk. */
export interface Journal {
  append(...entries: readonly Entry[]): void;
  settled(): Promise<void>;
  /** The last entries, oldest first; a folder's file holds all. */
  recent(): readonly Entry[];
  saveFile(flowId: string, bytes: Uint8Array): Promise<void>;
  loadFile(flowId: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** Keeps everything in memory and promises nothing across a restart. */
export function memoryJournal(): Journal {
  const recent: Entry[] = [];
  const files = new Map<string, Uint8Array>();
  return {
    append: (...entries) => remember(recent, entries),
    settled: () => Promise.resolve(),
    recent: () => recent,
    saveFile: (flowId, bytes) => Promise.resolve(void files.set(flowId, bytes)),
    loadFile: (flowId) => Promise.resolve(files.get(flowId)),
    close: () => Promise.resolve(),
  };
}

/** Keeps `journal.jsonl` and `files/` in a folder; returns what the file already said. A torn last line is dropped. */
export async function folderJournal(
  folder: string,
): Promise<{ readonly journal: Journal; readonly history: readonly Entry[] }> {
  await mkdir(join(folder, "files"), { recursive: true });
  const path = join(folder, "journal.jsonl");
  const history = await readHistory(path);
  const handle = await open(path, "a");
  const recent: Entry[] = [];
  remember(recent, history);
  const writer = groupWriter(handle);
  const fileOf = (flowId: string) =>
    join(folder, "files", createHash("sha256").update(flowId).digest("hex"));
  const journal: Journal = {
    append(...entries) {
      remember(recent, entries);
      writer.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    },
    settled: writer.settled,
    recent: () => recent,
    saveFile: (flowId, bytes) => saveDurably(fileOf(flowId), bytes),
    loadFile: (flowId) => readFile(fileOf(flowId)).catch(() => undefined),
    async close() {
      await writer.settled();
      await handle.close();
    },
  };
  return { journal, history };
}

function remember(recent: Entry[], entries: readonly Entry[]): void {
  for (const entry of entries) recent.push(entry);
  if (recent.length > KEPT * 2) recent.splice(0, recent.length - KEPT);
}

/** Writes of one moment share one flush to disk. */
function groupWriter(handle: FileHandle) {
  let waiting = "";
  let running: Promise<void> | undefined;
  async function drain(): Promise<void> {
    while (waiting !== "") {
      const text = waiting;
      waiting = "";
      await handle.appendFile(text);
      await handle.datasync();
    }
  }
  function start(): Promise<void> {
    running ??= drain().finally(() => running = undefined);
    return running;
  }
  return {
    write(text: string): void {
      waiting += text;
      start().catch(() => undefined);
    },
    async settled(): Promise<void> {
      while (waiting !== "" || running !== undefined) await start();
    },
  };
}

async function readHistory(path: string): Promise<readonly Entry[]> {
  const handle = await open(path, "a+");
  try {
    const bytes = await handle.readFile();
    const whole = bytes.lastIndexOf(10) + 1;
    if (whole < bytes.length) await handle.truncate(whole);
    const lines = bytes.subarray(0, whole).toString("utf8").split("\n");
    return lines.filter((line) => line !== "").map((line): Entry => JSON.parse(line));
  } finally {
    await handle.close();
  }
}

async function saveDurably(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, "w");
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
