import process from "node:process";
import { createInterface } from "node:readline/promises";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Io, translate } from "./io.ts";

/** Reads all of standard input without its last line break, for piped passwords. */
export async function readStandardInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text.replace(/\r?\n$/, "");
}

/** Asks a question on the terminal; throws AppError `invalid` without a terminal. */
export async function askLine(io: Io, question: Sentence): Promise<string> {
  requireTerminal(question);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(`${translate(io, question)}: `)).trim();
  } finally {
    lines.close();
  }
}

/** Asks like `askLine`, without showing the typed characters. */
export async function askSecret(io: Io, question: Sentence): Promise<string> {
  requireTerminal(question);
  process.stderr.write(`${translate(io, question)}: `);
  const { stdin } = process;
  stdin.setRawMode(true).resume().setEncoding("utf8");
  try {
    return await readTyped(stdin);
  } finally {
    stdin.setRawMode(false).pause();
    process.stderr.write("\n");
  }
}

const ENTER = /[\r\n]/;
const STOP = "\u0003";
const ERASE = /[\b\u007f]/;

async function readTyped(stdin: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of stdin) {
    for (const char of chunk) {
      if (ENTER.test(char)) return text;
      if (char === STOP) throw new AppError("invalid", say`Given up`);
      text = ERASE.test(char) ? [...text].slice(0, -1).join("") : text + char;
    }
  }
  return text;
}

function requireTerminal(question: Sentence): void {
  if (process.stdin.isTTY) return;
  throw new AppError(
    "invalid",
    say`There is no terminal to ask on (${question}): give --user, and the password with --stdin`,
  );
}
