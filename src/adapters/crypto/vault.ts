import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Vault } from "#src/ports/vault.ts";

const NONCE = 12;
const TAG = 16;

/** AES-256-GCM (NIST SP 800-38D); the key is derived from the given text by HKDF (RFC 5869). */
export function aesVault(keyText: string): Vault {
  const key = Buffer.from(hkdfSync("sha256", keyText, "", "passerelle.vault.1", 32));
  return {
    seal(secret, context) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return `ENC:${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64")}`;
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice("ENC:".length), "base64");
      try {
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE))
          .setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
        return decipher.update(bytes.subarray(NONCE + TAG), undefined, "utf8") +
          decipher.final("utf8");
      } catch {
        throw new AppError(
          "unavailable",
          say`The secret of ${context} cannot be opened: SECRET_KEY is not the one it was sealed with`,
        );
      }
    },
  };
}

/** The key of a single-machine installation, made at the first start and readable by its owner only. */
export async function keyInFolder(dataDir: string): Promise<string> {
  const path = join(dataDir, "keys", "secret.key");
  await mkdir(join(dataDir, "keys"), { recursive: true, mode: 0o700 });
  await writeFile(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 }).catch(
    () => {},
  );
  return (await readFile(path, "utf8")).trim();
}
