import type { Deps } from "#src/deps.ts";
import { schemaOf, type SectionName } from "#src/definitions/sections.ts";
import { isRecord, type Path, walk } from "#src/definitions/walk.ts";
import { SECRET_MASK } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { isSealed, type Vault } from "#src/ports/vault.ts";

/** Headers that carry secrets, whoever names them. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api[-_]?key/i;
/** Not with a default behind `:-`, which is the secret itself. */
const VARIABLE = /^\$\{[A-Za-z_]\w*(:-)?\}$/;

/** Where the secrets of a section stand, whatever stands there. */
function secretsAt(name: SectionName, value: unknown): { path: Path; value: unknown }[] {
  const found: { path: Path; value: unknown }[] = [];
  walk(schemaOf(name), value, ({ path, on, value, mark }) => {
    if (on !== "value" || value === null || value === "") return;
    const isHeader = path.at(-2) === "headers" && SECRET_HEADER.test(String(path.at(-1)));
    if (mark.secret || isHeader && mark.environment) found.push({ path, value });
  });
  return found;
}

function secretsIn(name: SectionName, value: unknown): { path: Path; text: string }[] {
  return secretsAt(name, value).flatMap(({ path, value: text }) =>
    typeof text === "string" ? [{ path, text }] : []
  );
}

/** What leaves the product: `********` for every secret, wherever it is kept. */
export function maskedValue(name: SectionName, value: unknown): unknown {
  return secretsAt(name, value).reduce((it, { path }) => replaced(it, path, SECRET_MASK), value);
}

/**
 * A mask that came back stands for what is stored at its place. Throws AppError `refused` where nothing is, or where the
 * secret would go to another address than the one it was given for.
 */
export function unmaskedValue(name: SectionName, value: unknown, before: unknown): unknown {
  let result = value;
  for (const { path, text } of secretsIn(name, value)) {
    if (text !== SECRET_MASK) continue;
    const stored = at(before, path);
    if (typeof stored !== "string") {
      throw new AppError("refused", say`${path.join(".")}: there is no secret to keep; enter it`);
    }
    if (isSealed(stored) && destinationOf(value, path) !== destinationOf(before, path)) {
      throw new AppError(
        "refused",
        say`${path.join(".")}: its address is another one than before; enter it again`,
      );
    }
    result = replaced(result, path, stored);
  }
  return result;
}

/**
 * The text with its secrets sealed, each bound to the address it is sent to; not a byte else changes. One that is sealed
 * for no place, or by the key before, is sealed anew. What the text `before` holds sealed at the same place stays where it is the same
 * secret, so that a folder that is applied again changes nothing and opens no pool anew, and where the new one does not open: a file may
 * be sealed by a key that was replaced since. One that does not open stays where there is none. A text that cannot be read is left to
 * the check.
 */
export async function sealedText(
  { vault, sectionTexts }: Pick<Deps, "sectionTexts" | "vault">,
  { name, text, before }: {
    readonly name: SectionName;
    readonly text: string;
    readonly before?: string | undefined;
  },
): Promise<string> {
  const value = await sectionTexts.value(text);
  if (value === undefined) return text;
  const secrets = secretsIn(name, value).filter((it) => isToSeal(it.text)).map((it) => {
    const destination = destinationOf(value, it.path);
    const sealed = isSealed(it.text) ? renewed(vault, it.text, destination) : undefined;
    return { ...it, destination, sealed };
  });
  const isOpen = secrets.every((it) => it.sealed !== undefined);
  const known = !isOpen && before ? await sectionTexts.value(before) : undefined;
  const changes = secrets.flatMap(({ path, text, destination, sealed: own }) => {
    const sealed = own ?? storedSealed(vault, { text, destination, stored: at(known, path) }) ??
      (isSealed(text) ? text : vault.seal(text, destination));
    return sealed === text ? [] : [{ path, on: "value" as const, value: sealed }];
  });
  return changes.length ? await sectionTexts.splice(text, changes) : text;
}

function isToSeal(text: string): boolean {
  return !VARIABLE.test(text) && text !== SECRET_MASK;
}

/** What is stored, where it opens for the address, to the same text where that is in the clear. */
function storedSealed(
  vault: Vault,
  { text, destination, stored }: { text: string; destination: string; stored: unknown },
): string | undefined {
  if (typeof stored !== "string" || !isSealed(stored)) return undefined;
  try {
    if (!isSealed(text) && vault.open(stored, destination) !== text) return undefined;
    return vault.renewed(stored, destination);
  } catch {
    return undefined;
  }
}

/** Undefined for what was sealed for another address, or by a key that is known no more: it opens nowhere here. */
function renewed(vault: Vault, sealed: string, destination: string): string | undefined {
  try {
    return vault.renewed(sealed, destination);
  } catch {
    return undefined;
  }
}

/** A secret of a section in the clear, for what it was given for and nothing else. Throws AppError `unavailable`. */
export function openedSecret(
  { vault }: Pick<Deps, "vault">,
  { section, path }: { section: unknown; path: Path },
): string | undefined {
  const text = at(section, path);
  if (typeof text !== "string") return undefined;
  return isSealed(text) ? vault.open(text, destinationOf(section, path)) : text;
}

/** Sealed secrets in a text that people read who may not read the text itself. */
export function withoutSealed(text: string): string {
  return text.replace(/ENC:[A-Za-z0-9+/=:]+/g, SECRET_MASK);
}

/** And `ssl`: who need not prove himself can stand in between. */
const ADDRESS = ["driver", "host", "port", "database", "file", "ssl", "base_url", "token_url"];

/** What the secret is bound to: where it is sent, not what its definition is called. */
function destinationOf(section: unknown, path: Path): string {
  const definition = at(section, path.slice(0, 2));
  const parts: unknown[] = [];
  const collect = (value: unknown) => {
    if (!isRecord(value)) return;
    for (const key of ADDRESS) if (value[key] !== undefined) parts.push([key, value[key]]);
  };
  collect(definition);
  if (isRecord(definition)) collect(definition["auth"]);
  return `configuration ${JSON.stringify(parts)}`;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (it, step) =>
      typeof it === "object" && it !== null && Object.hasOwn(it, step)
        ? (it as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((it, index) => index === step ? replaced(it, rest, by) : it);
  }
  if (!isRecord(value)) return value;
  return { ...value, [step]: replaced(value[step], rest, by) };
}
