import type { Localiser } from "#src/definitions/localiser.ts";
import { codeOfQuery } from "#src/framework/connectors/mod.ts";
import { describeColumn, readableLookup } from "#src/framework/dictionary/mod.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import type { Column } from "#src/ports/pool.ts";
import type { FoundScreen } from "./require_screen.ts";

/** Screen with the context of its reader. */
export interface Around {
  readonly found: FoundScreen;
  readonly localiser: Localiser;
  readonly may: SettingsReader["may"];
  /** Columns the query answers with; undefined where the reader may not run it. */
  readonly columns: readonly Column[] | undefined;
  /** Time to which parameter defaults are relative. */
  readonly now: Date;
}

/** Returns true when the reader may run a query of the screen's connector. */
export function mayRun({ found: { definition, snapshot }, may }: Around, query: string): boolean {
  const { connector } = definition.source;
  return may(codeOfQuery(snapshot, { connector, query }));
}

/** Returns the label and format of a field. */
export function shownField(around: Around, field: string) {
  const { found: { snapshot, source: { definition: { columns: own = {} } } }, columns } = around;
  return describeColumn(snapshot, {
    name: field,
    type: columns?.find((it) => it.name === field)?.type,
    own: Object.hasOwn(own, field) ? own[field] : undefined,
  }, around);
}

/** The name of a lookup the reader may ask. */
export function readableName(
  { found: { snapshot }, may }: Around,
  lookup: string | undefined,
): string | undefined {
  return lookup !== undefined && readableLookup(snapshot, lookup, may) ? lookup : undefined;
}
