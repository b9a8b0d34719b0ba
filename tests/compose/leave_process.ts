// A process at its end: it either `leaves` after its work, or `breaks`. Deno meanwhile collects measurements from its
// thread.
import process from "node:process";
import { leave } from "#src/compose/leave.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";

const [how, busyMs] = process.argv.slice(2);
installUncaughtHandler(process.env);
setTimeout(() => {
  const began = Date.now();
  while (Date.now() - began < Number(busyMs));
  if (how === "breaks") throw new Error("broken");
  void leave(3, process.env);
}, 300);
