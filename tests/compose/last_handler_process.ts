// A process with the product's handler of uncaught errors: an unhandled rejection, then an uncaught exception.
import process from "node:process";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";

installUncaughtHandler(process.env);
const query = Object.assign(new Error("insert … values secret"), {
  query: "insert",
  params: ["secret"],
});
query.cause = new Error("too long");
Promise.reject(query);
setTimeout(() => {
  process.stdout.write("went on\n");
  setTimeout(() => {
    throw new Error("broken");
  });
  setTimeout(() => process.stdout.write("never\n"), 5000);
}, 50);
