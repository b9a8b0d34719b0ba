import process from "node:process";
import { runCommandLine } from "./cli/command_line.ts";
import { leave } from "./compose/leave.ts";

const io = {
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
  env: process.env,
};

runCommandLine(process.argv.slice(2), io).then((code) => leave(code, process.env), (error) => {
  process.stderr.write(`${String(error)}\n`);
  return leave(2, process.env);
});
