import type { Deps } from "#src/deps.ts";
import { readTyped } from "#src/definitions/typed.ts";
import { describeQuery } from "#src/framework/connectors/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { nearest } from "#src/kernel/text.ts";
import type { FoundScreen } from "./require_screen.ts";
import type { LockedRecord } from "./locks/mod.ts";

const MAX_LENGTH = 500;

/**
 * Returns the record of a key. Parses its values by column type, so that 7, "7" and "07" are the same whole number.
 * Throws AppError `invalid` for a key of other columns.
 */
export async function readRecord(
  deps: Pick<Deps, "clock" | "databases">,
  { app, screen, definition, source }: FoundScreen,
  given: Readonly<Record<string, unknown>>,
): Promise<LockedRecord> {
  const { key = [] } = definition;
  const stray = Object.keys(given).find((it) => !key.includes(it));
  if (stray !== undefined) {
    const meant = nearest(stray, key) ?? key.join(", ");
    throw new AppError(
      "invalid",
      say`key: there is no ${stray.slice(0, 100)}; did you mean ${meant}?`,
    );
  }
  const columns = await describeQuery(deps, source);
  const values = key.map((field) => {
    const type = columns.find((it) => it.name === field)?.type ?? "string";
    return [field, keyValue(field, type, Object.hasOwn(given, field) ? given[field] : undefined)];
  });
  return { app, screen, key: Object.fromEntries(values) };
}

function keyValue(field: string, type: string, value: unknown): string {
  if (!["string", "number", "boolean"].includes(typeof value)) {
    throw new AppError(
      "invalid",
      value === undefined || value === null
        ? say`key.${field} is missing`
        : say`key.${field}: a text or a number is expected`,
    );
  }
  const read = readTyped(type, value);
  if ("problem" in read) {
    throw new AppError("invalid", say`key.${field}: ${String(value).slice(0, 60)} ${read.problem}`);
  }
  const text = type === "uuid" ? String(read.value).toLowerCase() : String(read.value);
  if (text.length <= MAX_LENGTH) return text;
  throw new AppError("invalid", say`key.${field}: has more than ${MAX_LENGTH} characters`);
}
