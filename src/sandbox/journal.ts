import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import { Buffer } from "node:buffer";
import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Entry, StoredFlow } from "./model.ts";

const KEPT = 20_000;
/** Bytes read from the end of the file: some 20,000 entries. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** Bytes read with each flow; few lines are longer. */
const LINE_BYTES = 4096;
const CHUNK_BYTES = 1024 * 1024;
/** Number of recent flows cached, because most changes of a flow come within its first seconds. */
const FLOWS_AT_HAND = 500;
const LINE_END = 10;

/** Name under which the readable view of a flow is stored. */
export function getViewName(flowId: string): string {
  return `${flowId}-view`;
}

/** Append-only record. `settled` resolves when everything appended before it is on disk. */
export interface Journal {
  /** Returns the position of each entry. */
  append(...entries: readonly Entry[]): readonly number[];
  settled(): Promise<void>;
  /** Returns the last entries, oldest first; the file contains all of them. */
  recent(): Promise<readonly Entry[]>;
  /** Returns a flow as it was appended. */
  flowAt(place: number): Promise<StoredFlow>;
  saveFile(flowId: string, bytes: Uint8Array): Promise<void>;
  loadFile(flowId: string): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** Creates a journal in memory, which is lost at a restart. */
export function memoryJournal(): Journal {
  const recent: Entry[] = [];
  const flows = new Map<number, StoredFlow>();
  const files = new Map<string, Uint8Array>();
  let end = 0;
  return {
    append(...entries) {
      for (const entry of entries) recent.push(entry);
      if (recent.length > KEPT * 2) recent.splice(0, recent.length - KEPT);
      return entries.map((entry) => {
        if (entry.kind === "flow") flows.set(end, entry.flow);
        return end++;
      });
    },
    settled: () => Promise.resolve(),
    recent: () => Promise.resolve(recent),
    flowAt: (place) => Promise.resolve(requireFlow(flows.get(place), place)),
    saveFile: (flowId, bytes) => Promise.resolve(void files.set(flowId, bytes)),
    loadFile: (flowId) => Promise.resolve(files.get(flowId)),
    close: () => Promise.resolve(),
  };
}

/**
 * Opens a journal that stores `journal.jsonl` and `files/` in a folder. Replays the existing entries with their
 * positions and drops a torn last line. Entries are read from disk on demand, since flows are stored for months.
 */
export async function folderJournal(
  folder: string,
  onEntry: (entry: Entry, place: number) => void,
): Promise<Journal> {
  await mkdir(join(folder, "files"), { recursive: true });
  const handle = await open(join(folder, "journal.jsonl"), "a+");
  let end = await readHistory(handle, onEntry);
  await handle.truncate(end);
  const writer = groupWriter(handle, end);
  const atHand = new Map<number, StoredFlow>();
  const getFilePath = (flowId: string) => join(folder, "files", computeSha256(flowId));
  return {
    append(...entries) {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`);
      const places = lines.map((line) => {
        const place = end;
        end += Buffer.byteLength(line);
        return place;
      });
      entries.forEach((entry, nth) => {
        if (entry.kind === "flow") keepAtHand(atHand, places[nth] ?? NaN, entry.flow);
      });
      writer.write(lines.join(""));
      return places;
    },
    settled: writer.settled,
    async recent() {
      await writer.settled();
      return await lastEntries(handle);
    },
    async flowAt(place) {
      const known = atHand.get(place);
      if (known) return known;
      await writer.settled();
      const entry: Entry = JSON.parse(await lineAt(handle, place));
      return requireFlow(entry.kind === "flow" ? entry.flow : undefined, place);
    },
    saveFile: (flowId, bytes) => saveDurably(getFilePath(flowId), bytes),
    loadFile: (flowId) => readFile(getFilePath(flowId)).catch(() => undefined),
    async close() {
      try {
        await writer.settled();
      } finally {
        await handle.close();
      }
    },
  };
}

function keepAtHand(flows: Map<number, StoredFlow>, place: number, flow: StoredFlow): void {
  flows.set(place, flow);
  if (flows.size <= FLOWS_AT_HAND) return;
  for (const [oldest] of flows) return void flows.delete(oldest);
}

function requireFlow(flow: StoredFlow | undefined, place: number): StoredFlow {
  if (!flow) throw new Error(`The journal has no flow at ${place}`);
  return flow;
}

/** Groups concurrent writes into one flush to disk. A failed write is repeated together with the next one. */
function groupWriter(handle: FileHandle, from: number) {
  let waiting = "";
  let written = from;
  let isTorn = false; // part of the failed write may be in the file
  const share = newSingleFlight<void>();
  async function drain(): Promise<void> {
    while (waiting !== "") {
      if (isTorn) await handle.truncate(written);
      const text = waiting;
      waiting = "";
      try {
        isTorn = true;
        await handle.appendFile(text);
        await handle.datasync();
        isTorn = false;
      } catch (error) {
        waiting = text + waiting;
        throw error;
      }
      written += Buffer.byteLength(text);
    }
  }
  return {
    write(text: string): void {
      waiting += text;
      share(drain).catch(() => undefined);
    },
    async settled(): Promise<void> {
      do await share(drain); while (waiting !== "");
    },
  };
}

/** Replays every complete line; returns the end position of the last one. */
async function readHistory(
  handle: FileHandle,
  onEntry: (entry: Entry, place: number) => void,
): Promise<number> {
  let bytes = Buffer.alloc(0);
  for (let place = 0;;) {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(CHUNK_BYTES),
      0,
      CHUNK_BYTES,
      place + bytes.length,
    );
    if (bytesRead === 0) return place;
    bytes = Buffer.concat([bytes, buffer.subarray(0, bytesRead)]);
    let begin = 0;
    for (let end; (end = bytes.indexOf(LINE_END, begin)) >= 0; begin = end + 1) {
      if (end > begin) onEntry(JSON.parse(bytes.toString("utf8", begin, end)), place + begin);
    }
    bytes = bytes.subarray(begin);
    place += begin;
  }
}

async function lastEntries(handle: FileHandle): Promise<readonly Entry[]> {
  const { size } = await handle.stat();
  const from = Math.max(0, size - KEPT_BYTES);
  const bytes = Buffer.alloc(size - from);
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
  const lines = bytes.toString("utf8", 0, bytesRead).split("\n");
  if (from > 0) lines.shift(); // the first line may be cut
  return lines.filter((line) => line !== "").slice(-KEPT).map((line): Entry => JSON.parse(line));
}

async function lineAt(handle: FileHandle, place: number): Promise<string> {
  for (let length = LINE_BYTES;; length *= 4) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, place);
    const end = buffer.subarray(0, bytesRead).indexOf(LINE_END);
    if (end >= 0) return buffer.toString("utf8", 0, end);
    if (bytesRead < length) throw new Error(`The journal has no line at ${place}`);
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
