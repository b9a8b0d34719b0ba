import { resolve } from "node:path";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { type Copied, install, InstallBody } from "#src/platform/setup/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { toSentences } from "#src/kernel/i18n/schema.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { readOptions } from "./arguments.ts";
import { readStandardInput } from "./input.ts";
import { type Io, translate, usage } from "./io.ts";
import { openProductFor, runningProduct } from "./product.ts";

const USAGE = `setup install --host H [--port P] --database D --user U [--ssl MODE] [--ca FILE]
MODE is disable, require, verify-ca or verify-full. The password is read from standard input.`;

/** Moves an embedded installation to a PostgreSQL server. */
export async function setupCommand(args: readonly string[], io: Io): Promise<number> {
  const { values: { host, port, database, user, ssl: mode, ca }, positionals } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      host: { type: "string" },
      port: { type: "string", default: "5432" },
      database: { type: "string" },
      user: { type: "string" },
      ssl: { type: "string" },
      ca: { type: "string" },
    },
  });
  if (positionals.join(" ") !== "install") throw new AppError("invalid", usage(USAGE));
  if (await runningProduct(io)) {
    throw new AppError(
      "conflict",
      say`The product runs on this data folder: stop it, or call POST /api/setup/install`,
    );
  }
  const given = {
    host,
    port: Number(port),
    database,
    user,
    password: (await readStandardInput()).trim(),
    ...(mode !== undefined || ca !== undefined) && {
      ssl: { mode: mode ?? "verify-full", ...ca !== undefined && { ca_file: resolve(ca) } },
    },
  };
  const read = InstallBody.safeParse(given);
  if (!read.success) {
    throw new AppError("invalid", toSentences(read.error, given)[0] ?? usage(USAGE));
  }
  await using product = await openProductFor(io, { work: false });
  const by = { username: "service-admin", roles: ["admin"], permissions: permissionSet(["*"]) };
  const copied = await install(product.deps, {
    address: read.data,
    by,
    tell: (it) => io.out(translate(io, getProgress(it))),
  });
  io.out(translate(
    io,
    say`Copied and compared: ${copied.length} tables. The next start works on ${database} on ${host}:${port}`,
  ));
  return 0;
}

function getProgress({ table, rows, isDone, number, of }: Copied): Sentence {
  return isDone
    ? say`${number}/${of} ${table}: ${rows} rows`
    : say`${number}/${of} ${table}: ${rows} rows so far`;
}
