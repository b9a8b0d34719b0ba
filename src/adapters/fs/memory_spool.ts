import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Spool } from "#src/ports/spool.ts";

/** Spools in memory, for systems without a writable disk; refuses more than `maxBytes`. */
export function memorySpool(maxBytes: number): Spool {
  return {
    async write(work) {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let size = 0;
      await work((text) => {
        const bytes = new TextEncoder().encode(text);
        size += bytes.length;
        if (size > maxBytes) {
          throw new AppError(
            "unavailable",
            say`The answer is larger than ${maxBytes} bytes, and this process cannot write files: query another process`,
          );
        }
        chunks.push(bytes);
        return Promise.resolve();
      });
      return {
        size,
        read: () => ReadableStream.from(chunks),
        discard: () => Promise.resolve(void chunks.splice(0)),
      };
    },
  };
}
