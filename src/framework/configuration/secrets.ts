import type { Deps } from "#src/deps.ts";
import { getSchema, type SectionName } from "#src/definitions/sections.ts";
import { isRecord, type ValuePath, walk } from "#src/definitions/walk.ts";
import { SECRET_MASK } from "#src/domain/template/template.ts";
import { isSecretHeader, soundsSecret } from "#src/kernel/secret_names.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isSealed, type Vault } from "#src/ports/vault.ts";

/** Not with a default behind `:-`, which is the secret itself. */
const VARIABLE = /^\$\{[A-Za-z_]\w*(:-)?\}$/;

/** Returns the position and value of each secret field of a section. */
function secretsAt(name: SectionName, value: unknown): { path: ValuePath; value: unknown }[] {
  const found: { path: ValuePath; value: unknown }[] = [];
  walk(getSchema(name), value, ({ path, on, value, mark }) => {
    if (on !== "value" || value === null || value === "") return;
    const isHeader = path.at(-2) === "headers" && isSecretHeader(String(path.at(-1)));
    if (mark.secret || isHeader && mark.environment) found.push({ path, value });
  });
  return name === "connectors" ? [...found, ...secretsByName(value)] : found;
}

/** The whole text is a parameter, whose value comes with the call. */
const PARAMETER = /^\{[A-Za-z_]\w*\}$/;

/** Texts in queries and bodies of endpoints that their names call secrets. */
function secretsByName(section: unknown): { path: ValuePath; value: unknown }[] {
  const found: { path: ValuePath; value: unknown }[] = [];
  const visit = (value: unknown, path: ValuePath) => {
    if (typeof value !== "object" || value === null) {
      const name = path.at(-1);
      const isSecret = typeof value === "string" && typeof name === "string" && soundsSecret(name);
      if (isSecret && value !== "" && !PARAMETER.test(value)) found.push({ path, value });
    } else if (Array.isArray(value)) value.forEach((it, index) => visit(it, [...path, index]));
    else for (const [key, it] of Object.entries(value)) visit(it, [...path, key]);
  };
  const connectors = at(section, ["connectors"]);
  for (const [connector, definition] of getEntries(connectors)) {
    for (const [endpoint, { query, body }] of getEntries(at(definition, ["endpoints"]))) {
      const path = ["connectors", connector, "endpoints", endpoint];
      visit(query, [...path, "query"]);
      visit(body, [...path, "body"]);
    }
  }
  return found;
}

function getEntries(value: unknown): [string, Readonly<Record<string, unknown>>][] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, it]) => isRecord(it) ? [[key, it]] : []);
}

function secretsIn(name: SectionName, value: unknown): { path: ValuePath; text: string }[] {
  return secretsAt(name, value).flatMap(({ path, value: text }) =>
    typeof text === "string" ? [{ path, text }] : []
  );
}

/** Returns the value with `********` for every secret, wherever the secret is stored. */
export function maskedValue(name: SectionName, value: unknown): unknown {
  const changes = secretsAt(name, value).map(({ path }) => ({ path, by: SECRET_MASK }));
  return withReplaced(value, changes);
}

/**
 * Replaces masks by the stored secrets at the same position. Throws AppError `refused` when no secret is stored there,
 * or when its destination address has changed.
 */
export function unmaskedValue(name: SectionName, value: unknown, before: unknown): unknown {
  const changes: Replacement[] = [];
  for (const { path, text } of secretsIn(name, value)) {
    if (text !== SECRET_MASK) continue;
    const stored = at(before, path);
    if (typeof stored !== "string") {
      throw new AppError("refused", say`${path.join(".")}: there is no secret to keep; enter it`);
    }
    if (isSealed(stored) && getDestination(value, path) !== getDestination(before, path)) {
      throw new AppError(
        "refused",
        say`${path.join(".")}: its address is another one than before; enter it again`,
        { details: { fields: { [path.join(".")]: say`Enter it again: the address has changed` } } },
      );
    }
    changes.push({ path, by: stored });
  }
  return withReplaced(value, changes);
}

/**
 * Encrypts the secrets of a text, each bound to its destination address, and changes no other byte. Encrypts again any
 * secret that is bound to no address or uses an old key.
 * Where `before` has the same secret at the same position, its ciphertext stays, so that an unchanged folder reopens no
 * pool. The old ciphertext also stays when the new one cannot be decrypted, because a file may use a replaced key.
 * Without an old one, the undecryptable one stays. An unreadable text is returned unchanged and fails the later check.
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
    const destination = getDestination(value, it.path);
    const sealed = isSealed(it.text) ? renewSecret(vault, it.text, destination) : undefined;
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

/** Returns the stored ciphertext if it decrypts for the address, and to the same text if that is in clear text. */
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

/** Returns undefined for a secret that cannot be decrypted: it is bound to another address, or its key is unknown. */
function renewSecret(vault: Vault, sealed: string, destination: string): string | undefined {
  try {
    return vault.renewed(sealed, destination);
  } catch {
    return undefined;
  }
}

/** Decrypts a secret of a section for its destination only. Throws AppError `unavailable`. */
export function openedSecret(
  { vault }: Pick<Deps, "vault">,
  { section, path }: { section: unknown; path: ValuePath },
): string | undefined {
  const text = at(section, path);
  if (typeof text !== "string") return undefined;
  return isSealed(text) ? vault.open(text, getDestination(section, path)) : text;
}

/** Masks encrypted secrets in a text for readers who may not read the text itself. */
export function withoutSealed(text: string): string {
  return text.replace(/ENC:[A-Za-z0-9+/=:]+/g, SECRET_MASK);
}

/** Includes `ssl`, because an unauthenticated server could intercept the connection. */
const ADDRESS = ["driver", "host", "port", "database", "file", "ssl", "base_url", "token_url"];

/** Returns the destination a secret is bound to: its address, not the name of its definition. */
function getDestination(section: unknown, path: ValuePath): string {
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

function at(value: unknown, path: ValuePath): unknown {
  return path.reduce<unknown>(
    (it, step) =>
      typeof it === "object" && it !== null && Object.hasOwn(it, step)
        ? (it as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

interface Replacement {
  readonly path: ValuePath;
  readonly by: string;
}

/** Returns a copy with other texts at these paths; one copy for all, since a section may have thousands of secrets. */
function withReplaced(value: unknown, changes: readonly Replacement[]): unknown {
  if (!changes.length) return value;
  const copy = structuredClone(value);
  for (const { path, by } of changes) {
    const around = at(copy, path.slice(0, -1));
    const step = path.at(-1);
    if (typeof around === "object" && around !== null && step !== undefined) {
      (around as Record<string | number, unknown>)[step] = by;
    }
  }
  return copy;
}
