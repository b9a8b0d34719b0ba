import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { UNBOUND, type Vault } from "#src/ports/vault.ts";

const NONCE = 12;
const TAG = 16;

/**
 * Creates an AES-256-GCM vault (NIST SP 800-38D); HKDF (RFC 5869) derives the key from the given text. Secrets
 * sealed with the key `before` still open, but nothing new is sealed with it.
 */
export function aesVault(keyText: string, { before }: { before?: string | undefined } = {}): Vault {
  const key = deriveKey(keyText);
  const keys = [key, ...before === undefined ? [] : [deriveKey(before)]];
  const seal = (secret: string, context: string) => {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return `ENC:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64")}`;
  };
  return {
    seal,
    open: (sealed, context) => open(sealed, { keys, contexts: [context] }),
    renewed(sealed, context) {
      const isCurrent = tryDecrypt(sealed, { key, context }) !== undefined;
      return isCurrent
        ? sealed
        : seal(open(sealed, { keys, contexts: [context, UNBOUND] }), context);
    },
  };
}

function deriveKey(text: string): Buffer {
  return Buffer.from(hkdfSync("sha256", text, "", "passerelle.vault.1", 32));
}

/** Opens a secret with the first key and context that fit. */
function open(
  sealed: string,
  { keys, contexts }: { keys: readonly Buffer[]; contexts: readonly [string, ...string[]] },
): string {
  for (const key of keys) {
    for (const context of contexts) {
      const secret = tryDecrypt(sealed, { key, context });
      if (secret !== undefined) return secret;
    }
  }
  throw new AppError(
    "unavailable",
    say`The secret of ${
      contexts[0]
    } cannot be opened: SECRET_KEY is not the one it was sealed with`,
  );
}

function tryDecrypt(
  sealed: string,
  { key, context }: { key: Buffer; context: string },
): string | undefined {
  const bytes = Buffer.from(sealed.slice("ENC:".length), "base64");
  if (bytes.length < NONCE + TAG) return undefined; // a shorter tag would be easier to forge
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE))
      .setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
    return decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8") +
      decipher.final("utf8");
  } catch {
    return undefined;
  }
}

const KEY = /^[0-9a-f]{64}$/;

/**
 * Reads the key of a single-machine installation, created at the first start and readable by its owner only.
 * Throws AppError `unavailable` for a file without a valid key. A key that a full disk truncated would seal
 * nothing safely.
 */
export async function keyInFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, "keys");
  const path = join(folder, "secret.key");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const known = await readFile(path, "utf8").catch(() => undefined) ?? await madeKey(path);
  const key = known.trim();
  if (KEY.test(key)) return key;
  throw new AppError("unavailable", say`The file ${path} holds no key: put back the one it held`);
}

/**
 * Creates the key file completely or not at all; if several processes start at once, the first one's key counts.
 */
async function madeKey(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
    await link(draft, path).catch((error) => {
      if (error?.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return await readFile(path, "utf8");
}
