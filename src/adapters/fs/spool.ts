import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Spool } from "#src/ports/spool.ts";

const CHUNK = 64 * 1024;

interface SpoolBounds {
  /** Files there may be at once, being written or read. */
  readonly most: number;
  /** How long a reader may take nothing. */
  readonly idleMs: number;
}

/**
 * Files of this folder, without a name from the moment they are open: what a process leaves behind that is killed, its system frees.
 * Whoever reads slowly keeps a file and a place, and no more of either than there are.
 */
export function folderSpool(
  folder: string,
  { most, idleMs }: SpoolBounds = { most: 2, idleMs: 60_000 },
): Spool {
  let taken = 0;
  return {
    async write(work) {
      if (taken >= most) {
        throw new AppError(
          "throttled",
          say`${most} exports are under way or being fetched, and no more are made at once; try again`,
          { retryAfter: 30 },
        );
      }
      taken++;
      let file: FileHandle | undefined;
      let closed: Promise<void> | undefined;
      const close = () => closed ??= (file?.close() ?? Promise.resolve()).finally(() => taken--);
      try {
        file = await openNameless(folder);
        const size = await pour(file, work);
        return {
          size,
          read: () => streamOf(file as FileHandle, { size, idleMs, close }),
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

/** Resolves to the bytes written. All texts go through one piece of memory: what is made anew for each is a heap before it is collected. */
async function pour(file: FileHandle, work: Parameters<Spool["write"]>[0]): Promise<number> {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(CHUNK);
  let size = 0;
  await work(async (text) => {
    for (let from = 0; from < text.length;) {
      // A pair of surrogates that the slice cuts does not fit into what is left, and comes whole with the next.
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

function streamOf(
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
