import process from "node:process";
import { workerData } from "node:worker_threads";

/** The thread that `leave.ts` starts: it ends with the process, or ends it. */
const { begun, patienceMs } = workerData as { begun: Int32Array; patienceMs: number };
setTimeout(() => process.kill(process.pid, "SIGKILL"), patienceMs);
Atomics.store(begun, 0, 1);
Atomics.notify(begun, 0);
