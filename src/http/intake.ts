import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

export const KB = 1024;
export const MB = 1024 * KB;

export interface IntakeSettings {
  /** Bytes of bodies that all calls of the process may buffer at the same time. */
  readonly inFlightBytes: number;
  /** Window in which a body must bring at least `MIN_BYTES_PER_SECOND` on average. */
  readonly windowMs: number;
}

/** Buffered body; its bytes count against the process' budget until it is released. */
interface ReceivedBody {
  readonly bytes: Uint8Array<ArrayBuffer>;
  release(): void;
}

/** Receiver of all request bodies; no other code reads one. */
export interface Intake {
  /**
   * Buffers a body. Throws AppError `too_large`, `too_slow`, or `unavailable` if the process buffers too much.
   * Unauthenticated callers (`isPublic`) get only a quarter of the budget, so that they cannot block others.
   */
  whole(body: Body, options: { limit: number; isPublic: boolean }): Promise<ReceivedBody>;
  /** Streams the chunks without buffering; throws `too_large` and `too_slow`. */
  flowing(body: Body, options: { limit: number; windowMs: number }): AsyncGenerator<Uint8Array>;
}

type Body = ReadableStream<Uint8Array> | null;

/** Minimum average rate in a window. A slower body is aborted, because it occupies a connection and memory. */
const MIN_BYTES_PER_SECOND = KB;
/** Minimum average rate of a buffered body, from its first byte to its last. */
const WHOLE_BYTES_PER_SECOND = 32 * KB;
const WHOLE_LEAST_MS = 20_000;
const PUBLIC_SHARE = 1 / 4;

/** Creates the receiver; each process has one. */
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
        for await (const chunk of paceBody(body, { limit, windowMs, deadlineMs })) {
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
    flowing: (body, { limit, windowMs }) => paceBody(body, { limit, windowMs }),
  };
}

/** Copies chunks into one growing buffer. Stored chunks would keep their whole network packets in memory. */
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

async function* paceBody(body: Body, { limit, ...pace }: Pace): AsyncGenerator<Uint8Array> {
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
    if (!isRead) void drainRest(reader);
  }
}

const SLOW = Symbol("slow");

/**
 * Checks per window. A stalled process or a machine that slept misses only one of them. Bytes received meanwhile are
 * read before the next check.
 */
const LOOKS = 4;

/** Measures only the time spent waiting for the sender, because a slow disk of ours is not the sender's fault. */
function watchPace({ windowMs, deadlineMs = Infinity }: Omit<Pace, "limit">) {
  const least = MIN_BYTES_PER_SECOND * windowMs / 1000;
  const started = performance.now();
  let got = 0;
  let tellSlow: (() => void) | undefined; // set while a read waits
  let looks = 0;
  const timer = setInterval(() => {
    if (++looks % LOOKS !== 0) return;
    if (got < least || performance.now() - started > deadlineMs) tellSlow?.();
    got = 0;
  }, windowMs / LOOKS);
  return {
    // Creates a promise per read. A race with one promise for the whole body would keep every chunk in memory.
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

/** Throws for a sender that has gone. Nobody reads the answer, and no log entry is needed. */
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
 * Reads and drops the rest, so that a sender who is still writing receives the answer. The server closes the connection
 * of a sender that does not finish.
 */
async function drainRest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The sender has gone.
  }
}
