import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** Versions that are known to work with this code. */
const VERSIONS = { mssql: "12.7.14", oracledb: "26.0.0" } as const;

/** Loads an optional package. Throws AppError `misconfigured` with the command that installs it. */
export async function loadOptional(name: keyof typeof VERSIONS): Promise<unknown> {
  try {
    const loaded: { default?: unknown } = await import(name);
    return loaded.default ?? loaded;
  } catch (cause) {
    throw new AppError(
      "misconfigured",
      say`The driver needs the package ${name}: npm install ${name}@${VERSIONS[name]}`,
      { cause },
    );
  }
}
