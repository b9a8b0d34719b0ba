import { say, type Text } from "#src/kernel/i18n/sentence.ts";
import { readFile, writeFile } from "node:fs/promises";
import { createLicenseKeyPair, type LicenseKey, signLicense } from "#src/compose/licenses.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Io, translate, usage } from "./io.ts";
import { readOptions } from "./arguments.ts";

export const USAGE: Text = {
  en:
    `license issue --customer NAME --key FILE [--edition E] [--days N] [--feature F]… [--limit NAME=N]… [--issuer I]
FILE holds the vendor's private key as a JWK; where there is none, a pair is made and the public key shown.
The licence goes to standard output: it is what SERVICE_LICENSE_KEY takes.`,
  fr:
    `license issue --customer NAME --key FILE [--edition E] [--days N] [--feature F]… [--limit NAME=N]… [--issuer I]
FILE contient la clé privée de l'éditeur (JWK) ; s'il n'existe pas, une paire est créée et la clé publique affichée.
La licence va sur la sortie standard : c'est la valeur de SERVICE_LICENSE_KEY.`,
};

/** Signs licences, for vendors and for tests. */
export async function licenseCommand(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals: [verb] } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      customer: { type: "string" },
      key: { type: "string" },
      edition: { type: "string", default: "professional" },
      days: { type: "string", default: "365" },
      feature: { type: "string", multiple: true, default: [] },
      limit: { type: "string", multiple: true, default: [] },
      issuer: { type: "string", default: "passerelle" },
    },
  });
  const { customer, key: file, edition, feature: features, issuer } = values;
  const days = Number(values.days);
  if (verb !== "issue" || !customer || !file || !Number.isInteger(days)) {
    throw new AppError("invalid", usage(USAGE));
  }
  const key = await readKey(file, io);
  const order = { customer, edition, features, limits: getLimits(values.limit), days, issuer };
  io.out(await signLicense(order, key));
  return 0;
}

async function readKey(file: string, io: Io): Promise<LicenseKey> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as LicenseKey;
  const { privateJwk, publicJwk } = await createLicenseKeyPair();
  await writeFile(file, JSON.stringify(privateJwk), { flag: "wx", mode: 0o600 });
  io.err(
    translate(
      io,
      say`A new private key was written to ${file}. Its public key, for SERVICE_LICENSE_PUBLIC_KEY:`,
    ),
  );
  io.err(JSON.stringify(publicJwk));
  return privateJwk;
}

function getLimits(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(given.map((it) => {
    const [, name, amount] = /^([\w-]+)=(\d+)$/.exec(it) ?? [];
    if (!name || !amount) throw new AppError("invalid", say`--limit ${it} is not NAME=NUMBER`);
    return [name, Number(amount)];
  }));
}
