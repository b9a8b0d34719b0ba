import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline as joined } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { openBackups } from "#src/compose/backups.ts";
import { isEmbedded } from "#src/compose/private_folder.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { type Io, translated, usage } from "./io.ts";
import { runningProduct } from "./product.ts";

/** All that is in the database as one file, of one moment; whole or not there. */
export async function backupCommand([file]: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new AppError("invalid", usage("backup FILE"));
  await refuseRunning(io);
  await using backups = await openBackups(loadConfig(io.env));
  const draft = `${file}.${crypto.randomUUID()}.part`; // of two at once each has its own
  const unwritable = (error: unknown) =>
    new AppError("refused", say`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  const taken = await open(draft, "wx", 0o600).catch((error) => {
    throw unwritable(error);
  });
  const zip = createGzip();
  const written = pipeline(zip, taken.createWriteStream());
  written.catch(() => {}); // told below: whoever writes hears only that nobody takes it
  try {
    const { tables, rows } = await backups.backup((text) => writeTo(zip, text));
    zip.end();
    await written;
    await rename(draft, file).catch((error) => {
      throw unwritable(error);
    });
    io.out(translated(io, say`${file}: tables ${tables}, rows ${rows}`));
    io.out(translated(
      io,
      say`Secrets in it are sealed: keep SECRET_KEY (or keys/secret.key), and the files of the data folder, apart from it`,
    ));
    return 0;
  } catch (error) {
    const cause = zip.destroyed ? await written.then(() => error, unwritable) : error;
    zip.destroy();
    await written.catch(() => {});
    await rm(draft, { force: true });
    throw cause;
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
  const url = isEmbedded(loadConfig(io.env)) ? await runningProduct(io) : undefined;
  if (url === undefined) return;
  throw new AppError("conflict", say`The product runs on this data folder (${url}): stop it first`);
}

/** The file is opened when the first line is asked for, and read no faster than lines are taken. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const unzipped = joined(createReadStream(file), createGunzip(), () => {}); // the reader is told
  const texts = (unzipped.setEncoding("utf8") as AsyncIterable<string>)[Symbol.asyncIterator]();
  const next = () =>
    texts.next().catch((error) => {
      throw unreadable(file, error);
    });
  let begun: string[] = [];
  try {
    for (let it = await next(); !it.done; it = await next()) {
      const [first = "", ...more] = it.value.split("\n");
      begun.push(first);
      for (const line of more) {
        yield begun.join("");
        begun = [line];
      }
    }
  } finally {
    await texts.return?.();
  }
  const last = begun.join("");
  if (last) yield last;
}

function unreadable(file: string, error: unknown): AppError {
  const { code } = error as { code?: unknown };
  if (code === "Z_BUF_ERROR") return new AppError("refused", say`The backup is cut off`);
  if (code === "Z_DATA_ERROR") {
    return new AppError("refused", say`${file} is no backup, or a damaged one`);
  }
  return new AppError("refused", say`${file} cannot be read: ${messageOf(error)}`, {
    cause: error,
  });
}

function writeTo(zip: ReturnType<typeof createGzip>, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.write(text, (error) => error ? reject(error) : resolve());
  });
}
