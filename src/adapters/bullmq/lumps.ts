import type { Queue } from "bullmq";
import type { QueueName } from "#src/ports/task_queue.ts";
import type { Wakeup } from "./queues.ts";
import type { HandedOver } from "./task_relay.ts";

/** Queues whose tasks mostly wait and use little processor time, so that one worker takes several at once. */
const IN_LUMPS: ReadonlySet<QueueName> = new Set(["submission"]);
/** Number of batches into which a worker's capacity is divided. */
const LUMPS = 4;

/**
 * Batch sizes of a worker: `jobs` of the broker at once, each of at most `tasks` tasks, within the worker's
 * capacity.
 */
interface Lumps {
  readonly jobs: number;
  readonly tasks: number;
}

/** The tasks a worker is busy with. */
export interface WorkerCapacity {
  /**
   * Starts a batch, whose tasks do not reject. Resolves once there is room for another batch, whichever tasks
   * have ended.
   */
  begin(lump: readonly (() => Promise<unknown>)[]): Promise<void>;
  /** Resolves once no task is running. */
  empty(): Promise<void>;
}

/**
 * Creates the room of a worker. The broker may start the next batch when it fits, without waiting for the slowest
 * task of the last one. A task without an answer thus occupies only its own slot.
 */
export function newRoom({ jobs, tasks }: Lumps): WorkerCapacity {
  const inHand = new Set<Promise<void>>();
  const waiting: (() => void)[] = [];
  let asking = jobs; // whom the broker may give a full lump at any time
  const look = () => {
    while (waiting.length && inHand.size + (asking + 1) * tasks <= jobs * tasks) {
      asking++;
      waiting.shift()?.();
    }
  };
  return {
    begin(lump) {
      asking--;
      for (const work of lump) {
        const ended = work().then(() => {
          inHand.delete(ended);
          look();
        });
        inHand.add(ended);
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
        look();
      });
    },
    empty: async () => void await Promise.all(inHand),
  };
}

/**
 * Returns the batch sizes of a queue. Tasks claimed together are also started, read and finished together, each
 * in one statement.
 */
export function createBatches(queue: QueueName, atOnce: number): Lumps {
  if (!IN_LUMPS.has(queue)) return { jobs: atOnce, tasks: 1 };
  const tasks = Math.max(1, Math.floor(atOnce / LUMPS));
  return { jobs: Math.floor(atOnce / tasks), tasks };
}

/** Gives them to the broker. */
export async function handOver(
  queue: Queue<Wakeup>,
  tasks: readonly HandedOver[],
  { tasks: most }: Lumps,
): Promise<void> {
  const suspects = tasks.filter((it) => it.suspect).map((it) => [it]);
  const others = tasks.filter((it) => !it.suspect);
  const lumps = Array.from(
    { length: Math.ceil(others.length / most) },
    (_, n) => others.slice(n * most, (n + 1) * most),
  );
  await queue.addBulk([...suspects, ...lumps].map((lump) => {
    const [id = 0, ...more] = lump.map((it) => it.id);
    return {
      name: "task",
      data: { id, others: more, suspect: lump.some((it) => it.suspect) },
      // The fences in the id let a retry through and stop the same hand-over from standing in line twice.
      opts: { jobId: lump.map((it) => `t${it.id}-${it.fence}`).join("") },
    };
  }));
}
