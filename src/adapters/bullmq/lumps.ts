import type { Queue } from "bullmq";
import type { QueueName } from "#src/ports/task_queue.ts";
import type { Wakeup } from "./queues.ts";
import type { HandedOver } from "./task_relay.ts";

/** Tasks of theirs take no processor to themselves, so that one worker may as well have several. */
const IN_LUMPS: ReadonlySet<QueueName> = new Set(["submission"]);
/** What a worker may have in hand makes so many lumps. */
const LUMPS = 4;

/** How tasks go to a worker: `jobs` of the broker at once, each of `tasks` at most, together no more than are to be done at once. */
interface Lumps {
  readonly jobs: number;
  readonly tasks: number;
}

/** The tasks a worker is busy with. */
export interface Room {
  /** Begins a lump, whose works do not reject. Resolves once there is room for another, be it that these tasks are done or others. */
  begin(lump: readonly (() => Promise<unknown>)[]): Promise<void>;
  /** Resolves once there is none. */
  empty(): Promise<void>;
}

/**
 * A lump ends for the broker when the next one has room, not with its slowest task: one that gets no answer holds its own
 * place and no other's.
 */
export function newRoom({ jobs, tasks }: Lumps): Room {
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

/** What is claimed together is also begun, read and finished together, each in one statement. */
export function lumpsOf(queue: QueueName, atOnce: number): Lumps {
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
