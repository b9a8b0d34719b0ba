import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { pipeline as joined } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { openBackups } from "#src/compose/backups.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { type Io, translate, usage } from "./io.ts";
import { streamFromProduct } from "./call_product.ts";
import { refuseRunning, runningProduct } from "./product.ts";

/** Backs up the database into one file, as of one moment. The file is complete or does not exist. */
export async function backupCommand([file]: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new AppError("invalid", usage("backup FILE"));
  const running = await runningProduct(io);
  await using backups = running === undefined ? await openBackups(loadConfig(io.env)) : undefined;
  const draft = `${file}.${crypto.randomUUID()}.part`; // two commands at the same time write different drafts
  const unwritable = (error: unknown) =>
    new AppError("refused", say`${file} cannot be written: ${toMessage(error)}`, { cause: error });
  const taken = await open(draft, "wx", 0o600).catch((error) => {
    throw unwritable(error);
  });
  const zip = createGzip();
  const written = pipeline(zip, taken.createWriteStream());
  written.catch(() => {}); // reported below, because the writer only learns that its reader has gone
  try {
    const write = (text: string | Uint8Array) => writeTo(zip, text);
    const { tables, rows } = backups
      ? await backups.backup(write)
      : await fetchBackup(io, running ?? "", write);
    zip.end();
    await written;
    await rename(draft, file).catch((error) => {
      throw unwritable(error);
    });
    io.out(translate(io, say`${file}: tables ${tables}, rows ${rows}`));
    io.out(translate(
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

/**
 * Writes the backup that a running product makes of its embedded database. Its last line counts the rows. Throws
 * AppError `refused` if the stream is cut off.
 */
async function fetchBackup(
  io: Io,
  url: string,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<{ tables: number; rows: number }> {
  const body = await streamFromProduct(io, `${url}/api/setup/backup`);
  let end = "";
  for await (const bytes of body) {
    await write(bytes);
    end = (end + new TextDecoder().decode(bytes)).slice(-END_CHARS);
  }
  const [, tables, rows] = /^\{"done":\{"tables":(\d+),"rows":(\d+)\}\}\n$/m.exec(end) ?? [];
  if (rows === undefined) throw new AppError("refused", say`The backup is cut off`);
  return { tables: Number(tables), rows: Number(rows) };
}

const END_CHARS = 200;

/** Restores a backup into an empty database, embedded or on a server, in one transaction. */
export async function restoreCommand([file]: readonly string[], io: Io): Promise<number> {
  if (file === undefined) throw new AppError("invalid", usage("restore FILE"));
  await refuseRunning(io);
  await using backups = await openBackups(loadConfig(io.env));
  const { tables, rows, opens } = await backups.restore(linesIn(file));
  io.out(translate(io, say`Restored and compared: tables ${tables}, rows ${rows}`));
  io.out(translate(
    io,
    say`Sending is off in this copy: once it is to replace the original, run deno task -q cli sending on`,
  ));
  if (opens) return 0;
  io.err(translate(
    io,
    say`Its secrets were sealed by another SECRET_KEY: start with that one, or enter them again`,
  ));
  return 1;
}

/** Opens the file when the first line is requested and reads it at the speed of the consumer. */
async function* linesIn(file: string): AsyncGenerator<string> {
  const unzipped = joined(createReadStream(file), createGunzip(), () => {}); // the reader receives the error
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
    return new AppError("refused", say`${file} is damaged or not a backup`);
  }
  return new AppError("refused", say`${file} cannot be read: ${toMessage(error)}`, {
    cause: error,
  });
}

function writeTo(zip: ReturnType<typeof createGzip>, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    zip.write(text, (error) => error ? reject(error) : resolve());
  });
}
