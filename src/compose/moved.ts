import { open, readFile, rename } from "node:fs/promises";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import type { Config } from "#src/config/config.ts";
import { tlsMode } from "#src/definitions/pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { ServerAddress } from "#src/ports/installation.ts";
import type { Vault } from "#src/ports/vault.ts";
import { moveFile } from "./private_folder.ts";

const CONTEXT = "database of the installation";

type Kept = Omit<ServerAddress, "password"> & { readonly password: string };

/**
 * Returns the server that an embedded installation has moved to, or undefined if it has not moved. `DATABASE_URL` takes
 * precedence.
 */
export async function movedTo(
  config: Pick<Config, "privateDir" | "secretKey" | "secretKeyBefore">,
): Promise<string | undefined> {
  const text = await readKept(config);
  if (text === undefined) return undefined;
  const { privateDir, secretKey, secretKeyBefore: before } = config;
  const vault = aesVault(secretKey ?? await keyInFolder(privateDir), { before });
  const kept = keptIn(text, config);
  return buildUrl({ ...kept, password: vault.open(kept.password, CONTEXT) });
}

/** Makes the next start use that server. */
export async function rememberMove(
  config: Pick<Config, "privateDir">,
  { address, vault }: { address: ServerAddress; vault: Vault },
): Promise<void> {
  await keep(config, { ...address, password: vault.seal(address.password, CONTEXT) });
}

/**
 * Seals the stored password with the current key. Does nothing if the installation has not moved. Throws as
 * `Vault.renewed` does.
 */
export async function renewMove(config: Pick<Config, "privateDir">, vault: Vault): Promise<void> {
  const text = await readKept(config);
  if (text === undefined) return;
  const kept = keptIn(text, config);
  await keep(config, { ...kept, password: vault.renewed(kept.password, CONTEXT) });
}

function readKept(config: Pick<Config, "privateDir">): Promise<string | undefined> {
  return readFile(moveFile(config), "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

function keptIn(text: string, config: Pick<Config, "privateDir">): Kept {
  try {
    const kept = JSON.parse(text) as Kept;
    if (typeof kept.password === "string" && typeof kept.host === "string") return kept;
  } catch { /* said below */ }
  throw new AppError(
    "unavailable",
    say`The file ${moveFile(config)} does not say where the database is`,
  );
}

/** Writes the file atomically: a process that dies meanwhile leaves the old file. */
async function keep(config: Pick<Config, "privateDir">, kept: Kept): Promise<void> {
  const path = moveFile(config);
  const draft = await open(`${path}.new`, "w", 0o600);
  try {
    await draft.writeFile(JSON.stringify(kept));
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${path}.new`, path);
}

export function buildUrl(address: ServerAddress): string {
  const { host, port, database, user, password } = address;
  const at = host.includes(":") ? `[${host}]` : host;
  const who = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${who}@${at}:${port}/${encodeURIComponent(database)}?${getTls(address)}`;
}

/**
 * Returns the TLS options in the driver's terms. Its `require` checks the certificate, and only libpq mode names
 * express `verify-ca`.
 */
function getTls({ host, ssl }: ServerAddress): URLSearchParams {
  const mode = tlsMode(host, ssl);
  const words = new URLSearchParams({ sslmode: mode === "require" ? "no-verify" : mode });
  if (mode === "verify-ca") words.set("uselibpqcompat", "true");
  const isLooked = mode === "verify-ca" || mode === "verify-full";
  if (isLooked && ssl?.ca_file !== undefined) words.set("sslrootcert", ssl.ca_file);
  return words;
}
