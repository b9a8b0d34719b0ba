import { newSemaphore } from "#src/kernel/concurrency/semaphore.ts";
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Spool } from "#src/ports/spool.ts";

const CHUNK = 64 * 1024;

interface SpoolBounds {
  /** Files there may be at once, being written or read. */
  readonly most: number;
  /** Time a reader may stay idle. */
  readonly idleMs: number;
}

/**
 * Spools to files of this folder, deleted right after they are opened: the system frees them even if the process
 * is killed. A slow reader occupies one file and one slot; the number of slots is limited.
 */
export function folderSpool(
  folder: string,
  { most, idleMs }: SpoolBounds = { most: 2, idleMs: 60_000 },
): Spool {
  const slots = newSemaphore({
    limit: most,
    waiting: 0,
    full: () => say`${most} exports are in progress, which is the maximum; try again later`,
    retryAfter: 30,
  });
  return {
    async write(work) {
      const leave = await slots.acquire();
      let file: FileHandle | undefined;
      let closed: Promise<void> | undefined;
      const close = () => closed ??= (file?.close() ?? Promise.resolve()).finally(leave);
      try {
        file = await openNameless(folder);
        const size = await pour(file, work);
        return {
          size,
          read: () => createStream(file as FileHandle, { size, idleMs, close }),
          discard: close,
        };
      } catch (error) {
        await close();
        throw error;
      }
    },
  };
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  const file = await open(path, "wx+", 0o600);
  await rm(path);
  return file;
}

/**
 * Writes the texts and resolves to the number of bytes. All texts share one buffer; a new one for each would fill
 * the heap before it is collected.
 */
async function pour(file: FileHandle, work: Parameters<Spool["write"]>[0]): Promise<number> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(CHUNK);
  let size = 0;
  await work(async (text) => {
    for (let from = 0; from < text.length;) {
      // A surrogate pair cut by the slice does not fit and is written whole with the next slice.
      const { read, written } = encoder.encodeInto(text.slice(from, from + CHUNK), bytes);
      from += read;
      for (let at = 0; at < written;) {
        const { bytesWritten } = await file.write(bytes, at, written - at, size);
        at += bytesWritten;
        size += bytesWritten;
      }
    }
  });
  return size;
}

function createStream(
  file: FileHandle,
  { size, idleMs, close }: { size: number; idleMs: number; close: () => Promise<void> },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitFor = (controller: ReadableStreamDefaultController) => {
    timer = setTimeout(() => {
      controller.error(new Error(`Nobody read on for ${idleMs} ms`));
      close().catch(() => {});
    }, idleMs).unref();
  };
  return new ReadableStream({
    start: waitFor,
    async pull(controller) {
      clearTimeout(timer);
      const bytes = new Uint8Array(CHUNK);
      const { bytesRead } = await file.read(bytes, 0, CHUNK, at);
      at += bytesRead;
      if (bytesRead) controller.enqueue(bytes.subarray(0, bytesRead));
      if (at < size && bytesRead) return waitFor(controller);
      await close();
      controller.close();
    },
    cancel() {
      clearTimeout(timer);
      return close();
    },
  });
}
