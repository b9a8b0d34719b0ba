// Prints the received signals, and ends when its input ends.
import process from "node:process";
import { toldToStop } from "#src/compose/told_to_stop.ts";

const stopped = toldToStop();
process.stdin.resume().once("end", () => process.exit(3));
process.stdout.write("here\n");
await stopped;
process.stdout.write("told\n");
