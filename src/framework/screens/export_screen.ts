import type { Deps } from "#src/deps.ts";
import { createLocaliser } from "#src/definitions/localiser.ts";
import {
  type QueryState,
  type ReadDeps,
  type StreamedRows,
  streamQuery,
} from "#src/framework/connectors/mod.ts";
import {
  aboutSheet,
  buildFileName,
  type ExportedFile,
  type ExportNote,
  madeBy,
  ZONE,
} from "#src/platform/exports/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth, say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor, SettingsReader } from "#src/ports/access.ts";
import type { Around } from "./around.ts";
import {
  addCurrencies,
  type ExportColumn,
  exportColumn,
  exportedColumns,
} from "./export_columns.ts";
import { describeGiven, describeOrder } from "./export_notes.ts";
import type { FoundScreen } from "./require_screen.ts";

export interface ScreenExportRequest {
  readonly params: Readonly<Record<string, unknown>>;
  /** Filters in the format of a query's `q`. */
  readonly filters?: unknown;
  readonly sort?: readonly string[] | undefined;
  /** Fields of grid columns, in their order; by default those of the screen. */
  readonly columns?: readonly string[] | undefined;
}

export interface ExportCall {
  readonly found: FoundScreen;
  readonly request: ScreenExportRequest;
  readonly actor: Actor;
  readonly reader: SettingsReader;
  readonly errorId: string;
  readonly signal: AbortSignal;
}

type ExportScreenDeps = ReadDeps & Pick<Deps, "spreadsheets">;

/**
 * Exports the view of a screen as an XLSX file, streamed without being stored. Throws AppError `refused` when the
 * screen offers no export, and the errors of `streamQuery`.
 */
export async function exportScreen(
  deps: ExportScreenDeps,
  shared: QueryState,
  call: ExportCall,
): Promise<ExportedFile> {
  const { found, request, actor, reader, errorId, signal } = call;
  const { snapshot, definition, app, screen } = found;
  const { export: offered = {}, source } = definition;
  if (offered.enabled === false) {
    throw new AppError("refused", say`The screen ${`${app}/${screen}`} offers no export`);
  }
  const localiser = createLocaliser(snapshot, reader.languages);
  const grid = exportedColumns({ found } as Around, request.columns);
  const rows = await streamQuery(deps, shared, {
    snapshot,
    ...source,
    params: request.params,
    asked: { q: request.filters, sort: request.sort && [...request.sort] },
    actor,
    errorId,
    signal,
    maxRows: offered.max_rows,
  });
  try {
    const now = deps.clock.now();
    const around: Around = { found, localiser, may: reader.may, columns: rows.columns, now };
    const there = grid.filter(({ field }) => rows.columns.some(({ name }) => name === field));
    const caller = { actor, errorId, signal };
    const lookups = { reader, query: { deps, shared, caller } };
    const columns = await Promise.all(
      addCurrencies(around, there).map((it) => exportColumn(around, it, lookups)),
    );
    const missing = grid.filter((it) => !there.includes(it)).map(({ field }) => field);
    const label = localiser.text(definition.label) ?? screen;
    const language = getLanguage(reader);
    const given = await describeGiven(request, { around, language, lookups });
    const order = describeOrder(request, { around, language });
    const notes = { ...call, label, now, missing, rows, given, order };
    const bytes = writeWorkbook(deps, { columns, label, rows, now, call, notes });
    const pattern = definition.export?.filename ?? `${label}-{date}`;
    return {
      filename: buildFileName(pattern, now),
      maxRows: rows.maxRows,
      isCut: rows.isCut,
      bytes,
    };
  } catch (error) {
    await rows.close();
    throw error;
  }
}

interface Writing {
  readonly columns: readonly ExportColumn[];
  readonly label: string;
  readonly rows: StreamedRows;
  readonly now: Date;
  readonly call: ExportCall;
  readonly notes: Notes;
}

function writeWorkbook(
  { spreadsheets }: ExportScreenDeps,
  { columns, label, rows, now, call: { actor, reader }, notes }: Writing,
): AsyncIterable<Uint8Array> {
  const language = getLanguage(reader);
  const cut = () => rows.isCut ? inBoth(cutAt(rows.maxRows))[language] : undefined;
  let written = 0;
  return spreadsheets({
    creator: actor.profile?.displayName || actor.username,
    created: now,
    zone: ZONE,
    sheets: [
      {
        name: sheetName(label),
        columns,
        note: cut,
        rows: (async function* () {
          for await (const batch of rows.batches) {
            written += batch.length;
            yield batch.map((item) =>
              columns.map(({ field, valueOf }) => valueOf(item[field] ?? null))
            );
          }
        })(),
      },
      aboutSheet(language, () => getNotes(notes, written)),
    ],
  });
}

interface Notes extends ExportCall {
  readonly label: string;
  readonly now: Date;
  readonly missing: readonly string[];
  readonly rows: StreamedRows;
  /** Parameters and filters in words. */
  readonly given: string | undefined;
  readonly order: string | undefined;
}

function getLanguage({ languages }: SettingsReader): Language {
  return languages.at(-1) === "en" ? "en" : "fr";
}

/** Returns the notes for the reader of the file. */
function getNotes(
  { found, actor, label, now, missing, rows, given, order }: Notes,
  written: number,
): ExportNote[] {
  return [
    [say`Screen`, `${label} (${found.app}/${found.screen})`],
    ...madeBy(actor, now),
    [say`Filters`, given ?? say`none`],
    [say`Order`, order ?? say`the usual one`],
    [say`Rows`, String(written)],
    ...rows.isCut ? [[say`Cut`, cutAt(rows.maxRows)] as ExportNote] : [],
    ...missing.length
      ? [[say`Columns that are not there any more`, missing.join(", ")] as ExportNote]
      : [],
  ];
}

function cutAt(maxRows: number): Sentence {
  return say`There are more rows: this file ends after ${maxRows}, the most an export of this screen holds`;
}

/** Shortens a name for Excel, which allows 31 characters and forbids some. */
function sheetName(label: string): string {
  return label.replace(/[\[\]:*?/\\']/g, " ").trim().slice(0, 31) || "Export";
}
