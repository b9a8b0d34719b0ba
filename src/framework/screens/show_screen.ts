import type { Deps } from "#src/deps.ts";
import { readingCode } from "#src/definitions/codes.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import { describeQuery, seesRows } from "#src/framework/connectors/mod.ts";
import { lookupsIn } from "#src/framework/dictionary/mod.ts";
import type { SettingsReader } from "#src/ports/access.ts";
import { type Around, readableName, shownField } from "./around.ts";
import type { FoundScreen } from "./require_screen.ts";
import { lockSettings } from "./lock_settings.ts";
import { shownActions, shownDialog } from "./show_dialog.ts";

interface ScreenReader extends SettingsReader {
  /** Roles of the reader, including inherited ones. */
  readonly roles: readonly string[];
}

/**
 * Describes a screen in one language, without operations, details and actions that the reader may not run. Labels and
 * formats of columns come from the query and the dictionary. Throws the pool's errors.
 */
export async function showScreen(
  deps: Pick<Deps, "clock" | "databases">,
  found: FoundScreen,
  { languages, may, roles }: ScreenReader,
) {
  const { app, screen: id, definition, snapshot, source } = found;
  const localiser = createLocaliser(snapshot, languages);
  const isReadable = may(readingCode(definition.source));
  const columns = isReadable
    ? (await describeQuery(deps, source)).filter((it) => !it.hidden)
    : undefined;
  const around: Around = { found, localiser, may, columns, now: deps.clock.now() };
  const { key, version_field, refresh, dialog, export: offered = {} } = definition;
  const lock = lockSettings(definition);
  const shown = {
    app,
    id,
    label: localiser.text(definition.label) ?? id,
    description: localiser.text(definition.description),
    source: { ...definition.source, allowed: isReadable && seesRows(source.definition, roles) },
    key,
    version_field,
    grid: shownGrid(around),
    dialog: dialog && shownDialog(around, dialog),
    actions: shownActions(around),
    lock: lock && { ttl: lock.ttl, renew: lock.renew, takeover: may(lock.takeover) },
    export: isReadable && (offered.enabled ?? true)
      ? { max_rows: offered.max_rows, columns: offered.columns ?? "visible" }
      : undefined,
    refresh,
  };
  return { language: localiser.language, ...shown, lookups: lookupsIn(shown, snapshot, around) };
}

function shownGrid(around: Around) {
  const { found: { definition: { grid, dialog }, source }, localiser } = around;
  const sortable = source.definition.sort?.allow ?? [];
  const { columns, sort, page_size, selection = "none", style } = grid;
  return {
    columns: columns.map(({ field, label, link, ...own }) => {
      const known = shownField(around, field);
      const isThere = around.columns?.some((it) => it.name === field) ?? true;
      const given = localiser.text(label);
      return {
        field,
        ...known,
        ...own,
        ...given !== undefined && { label: given, short: given },
        ...(link !== "dialog" || dialog) && { link },
        ...sortable.includes(field) && { sortable: true },
        ...!isThere && { missing: true },
      };
    }),
    sort: sort ?? [],
    page_size,
    filters: shownFilters(around),
    selection,
    style: style ?? [],
  };
}

type Filter = NonNullable<Around["found"]["definition"]["grid"]["filters"]>[number];

/** Returns the filters that the query supports; it would refuse others. */
export function shownFilters(around: Around) {
  return (around.found.definition.grid.filters ?? [])
    .map((it) => it.field === undefined ? paramFilter(around, it) : columnFilter(around, it))
    .filter((it) => it !== undefined);
}

function columnFilter(around: Around, { field = "", op = "=", label }: Filter) {
  if (!around.found.source.definition.filter?.includes(field)) return undefined;
  const { label: known, type, lookup } = shownField(around, field);
  return { field, op, label: around.localiser.text(label) ?? known, type, lookup };
}

function paramFilter(around: Around, { param = "", label }: Filter) {
  const { params = {} } = around.found.source.definition;
  const declared = Object.hasOwn(params, param) ? params[param] : undefined;
  if (!declared || declared.from !== undefined) return undefined;
  const { text } = around.localiser;
  return {
    param,
    label: text(label) ?? text(declared.label) ?? shownField(around, param).label,
    type: declared.type,
    required: declared.required ?? false,
    lookup: readableName(around, declared.lookup),
  };
}
