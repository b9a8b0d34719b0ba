// A process of the product at its end: `leaves` its work done, or `breaks`. Deno asks its thread for what it measures meanwhile.
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
