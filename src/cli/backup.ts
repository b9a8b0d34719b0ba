import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline as joined } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { openBackups } from "#src/compose/backups.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Io, translated, usage } from "./io.ts";
import { runningProduct } from "./product.ts";

/** All that is in the database as one file, of one moment; whole or not there. */
export async function backupCommand([file]: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new AppError("invalid", usage("backup FILE"));
  await refuseRunning(io);
  await using backups = await openBackups(loadConfig(io.env));
  const draft = `${file}.part`;
  const zip = createGzip();
  const written = pipeline(zip, createWriteStream(draft, { mode: 0o600, flags: "wx" }));
  written.catch(() => {}); // who waits for the texts is told
  try {
    const { tables, rows } = await backups.backup((text) => writeTo(zip, text));
    zip.end();
    await written;
    await rename(draft, file);
    io.out(translated(io, say`${file}: tables ${tables}, rows ${rows}`));
    io.out(translated(
      io,
      say`Secrets in it are sealed: keep SECRET_KEY (or keys/secret.key), and the files of the data folder, apart from it`,
    ));
    return 0;
  } catch (error) {
    zip.destroy();
    await written.catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
}

/** Into an empty database, embedded or on a server; whole or not at all. */
export async function restoreCommand([file]: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new AppError("invalid", usage("restore FILE"));
  await refuseRunning(io);
  await using backups = await openBackups(loadConfig(io.env));
  const { tables, rows, opens } = await backups.restore(linesIn(file));
  io.out(translated(io, say`Restored and compared: tables ${tables}, rows ${rows}`));
  if (opens) return 0;
  io.err(translated(
    io,
    say`Its secrets were sealed by another SECRET_KEY: start with that one, or enter them again`,
  ));
  return 1;
}

/** The embedded database belongs to the process that runs; one on a server can be read beside it. */
async function refuseRunning(io: Io): Promise<void> {
  const url = await runningProduct(io);
  if (url === undefined) return;
  throw new AppError("conflict", say`The product runs on this data folder (${url}): stop it first`);
}

/** The file is opened when the first line is asked for, and read no faster than lines are taken. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const unzipped = joined(createReadStream(file), createGunzip(), () => {}); // the reader is told
  let begun: string[] = [];
  for await (const text of unzipped.setEncoding("utf8") as AsyncIterable<string>) {
    const [first = "", ...more] = text.split("\n");
    begun.push(first);
    for (const next of more) {
      yield begun.join("");
      begun = [next];
    }
  }
  const last = begun.join("");
  if (last) yield last;
}

function writeTo(zip: ReturnType<typeof createGzip>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.write(text, (error) => error ? reject(error) : resolve());
  });
}
