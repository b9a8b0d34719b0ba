import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

export const KB = 1024;
export const MB = 1024 * KB;

export interface IntakeSettings {
  /** Bytes of bodies held at one time by all calls of the process. */
  readonly inFlightBytes: number;
  /** Within each such window a body brings at least `MIN_BYTES_PER_SECOND` on average. */
  readonly windowMs: number;
}

/** A body that was received whole; its bytes count against the process' budget until it is released. */
interface ReceivedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  release(): void;
}

/** Where the bodies of all calls come in: nothing else of the product reads one. */
export interface Intake {
  /**
   * Throws AppError `too_large`, `too_slow`, or `unavailable` when all calls together hold too much. A caller nobody knows
   * (`isPublic`) draws on a quarter of the budget only, so that strangers cannot keep others out.
   */
  whole(body: Body, options: { limit: number; isPublic: boolean }): Promise<ReceivedBody>;
  /** The chunks as they come, never held here; throws `too_large` and `too_slow`. */
  flowing(body: Body, options: { limit: number; windowMs: number }): AsyncGenerator<Uint8Array>;
}

type Body = ReadableStream<Uint8Array> | null;

/** Slower than this on average over one window, a body is given up: it holds a connection and memory. */
const MIN_BYTES_PER_SECOND = KB;
/** And whole ones slower than this from their first byte to their last. */
const WHOLE_BYTES_PER_SECOND = 32 * KB;
const WHOLE_LEAST_MS = 20_000;
const PUBLIC_SHARE = 1 / 4;

/** One for each process. */
export function createIntake({ inFlightBytes, windowMs }: IntakeSettings): Intake {
  const held = { all: 0, public: 0 };
  return {
    async whole(body, { limit, isPublic }) {
      const deadlineMs = WHOLE_LEAST_MS + limit / WHOLE_BYTES_PER_SECOND * 1000;
      const gathered = gather(limit);
      let taken = 0;
      const count = (bytes: number) => {
        taken += bytes;
        held.all += bytes;
        if (isPublic) held.public += bytes;
      };
      try {
        for await (const chunk of paced(body, { limit, windowMs, deadlineMs })) {
          count(chunk.length);
          if (held.all > inFlightBytes || held.public > inFlightBytes * PUBLIC_SHARE) {
            throw new AppError("unavailable", say`Too many bodies are being received at once`, {
              retryAfter: 2,
            });
          }
          gathered.add(chunk);
        }
      } catch (error) {
        count(-taken);
        throw error;
      }
      return {
        bytes: gathered.bytes(),
        release() {
          count(-taken);
          taken = 0;
        },
      };
    },
    flowing: (body, { limit, windowMs }) => paced(body, { limit, windowMs }),
  };
}

/** One growing buffer: kept chunks would keep the packets alive that they are views of, however small they are. */
function gather(limit: number) {
  let buffer = new Uint8Array(0);
  let size = 0;
  return {
    add(chunk: Uint8Array) {
      if (size + chunk.length > buffer.length) {
        const grown = new Uint8Array(Math.min(limit, Math.max(size + chunk.length, size * 2)));
        grown.set(buffer.subarray(0, size));
        buffer = grown;
      }
      buffer.set(chunk, size);
      size += chunk.length;
    },
    bytes: () => buffer.subarray(0, size),
  };
}

interface Pace {
  readonly limit: number;
  readonly windowMs: number;
  readonly deadlineMs?: number;
}

async function* paced(body: Body, { limit, ...pace }: Pace): AsyncGenerator<Uint8Array> {
  if (!body) return;
  const reader = body.getReader();
  const watch = watchPace(pace);
  let size = 0;
  let isRead = false;
  try {
    for (;;) {
      const next = await watch.waiting(reader.read().catch(brokenOff));
      if (next === SLOW) throw tooSlow(size);
      isRead = next.done;
      if (next.done) return;
      size += next.value.length;
      if (size > limit) throw tooLarge(limit);
      yield next.value;
    }
  } finally {
    watch.stop();
    if (!isRead) void discard(reader);
  }
}

const SLOW = Symbol("slow");

/**
 * Looks per window. A process that is held up, or a machine that slept, is late for one of them however long it takes; what
 * came meanwhile is taken before the next.
 */
const LOOKS = 4;

/** Only time spent waiting for the sender counts: a slow disk of ours is not the sender's fault. */
function watchPace({ windowMs, deadlineMs = Infinity }: Omit<Pace, "limit">) {
  const least = MIN_BYTES_PER_SECOND * windowMs / 1000;
  const started = performance.now();
  let got = 0;
  let tellSlow: (() => void) | undefined; // while a read waits
  let looks = 0;
  const timer = setInterval(() => {
    if (++looks % LOOKS !== 0) return;
    if (got < least || performance.now() - started > deadlineMs) tellSlow?.();
    got = 0;
  }, windowMs / LOOKS);
  return {
    // A promise for each read: a race of all of them with one for the whole body would hold every chunk until its end.
    async waiting(read: Promise<ReadableStreamReadResult<Uint8Array>>) {
      const next = await new Promise<typeof SLOW | Awaited<typeof read>>((resolve, reject) => {
        tellSlow = () => resolve(SLOW);
        read.then(resolve, reject);
      });
      tellSlow = undefined;
      if (next !== SLOW) got += next.value?.length ?? 0;
      return next;
    },
    stop: () => clearInterval(timer),
  };
}

/** The sender is gone: nobody reads the answer, and it is no fault of ours that is worth a log line. */
function brokenOff(cause: unknown): never {
  throw new AppError("invalid", say`The body broke off`, { cause });
}

function tooSlow(size: number): AppError {
  return new AppError("too_slow", say`The body comes too slowly: ${size} bytes so far`);
}

export function tooLarge(limit: number): AppError {
  return new AppError(
    "too_large",
    say`The body has more than ${limit} bytes, which are allowed here`,
  );
}

/**
 * The rest is read and dropped, so that a sender who is still writing gets to see the answer; the server closes the
 * connection of one who does not come to an end.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The sender has gone.
  }
}
