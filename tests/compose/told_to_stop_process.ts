// Says what it hears, and ends by itself when nothing more is written to it.
import process from "node:process";
import { toldToStop } from "#src/compose/told_to_stop.ts";

const stopped = toldToStop();
process.stdin.resume().once("end", () => process.exit(3));
process.stdout.write("here\n");
await stopped;
process.stdout.write("told\n");
