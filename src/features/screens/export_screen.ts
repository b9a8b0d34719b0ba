import type { Deps } from "#src/deps.ts";
import { localiserOf } from "#src/definitions/localiser.ts";
import {
  type ReadNeeds,
  type Shared,
  type StreamedRows,
  streamQuery,
} from "#src/features/connectors/mod.ts";
import {
  aboutSheet,
  type ExportedFile,
  fileNameOf,
  given,
  madeBy,
  type Note,
  ZONE,
} from "#src/features/exports/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth, say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Actor, Reader } from "#src/ports/access.ts";
import type { Around } from "./around.ts";
import { type ExportColumn, exportColumn, exportedColumns } from "./export_columns.ts";
import type { FoundScreen } from "./find_screen.ts";

export interface ExportRequest {
  readonly params: Readonly<Record<string, unknown>>;
  /** As `q` of a query. */
  readonly filters?: unknown;
  readonly sort?: readonly string[] | undefined;
  /** Fields of grid columns, in their order; without it what the screen says. */
  readonly columns?: readonly string[] | undefined;
}

export interface ExportCall {
  readonly found: FoundScreen;
  readonly request: ExportRequest;
  readonly actor: Actor;
  readonly reader: Reader;
  readonly errorId: string;
  readonly signal: AbortSignal;
}

type Needs = ReadNeeds & Pick<Deps, "spreadsheets">;

/**
 * The view of a screen as an XLSX file, which is written as it is read: nothing of it is kept. Throws AppError `refused` where the screen
 * offers none, and what `streamQuery` throws.
 */
export async function exportScreen(
  needs: Needs,
  shared: Shared,
  call: ExportCall,
): Promise<ExportedFile> {
  const { found, request, actor, reader, errorId, signal } = call;
  const { snapshot, definition, app, screen } = found;
  const { export: offered = {}, source } = definition;
  if (offered.enabled === false) {
    throw new AppError("refused", say`The screen ${`${app}/${screen}`} offers no export`);
  }
  const localiser = localiserOf(snapshot, reader.languages);
  const grid = exportedColumns({ found } as Around, request.columns);
  const rows = await streamQuery(needs, shared, {
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
    const now = needs.clock.now();
    const around: Around = { found, localiser, may: reader.may, columns: rows.columns, now };
    const there = grid.filter(({ field }) => rows.columns.some(({ name }) => name === field));
    const caller = { actor, errorId, signal };
    const query = { needs, shared, caller };
    const columns = await Promise.all(
      there.map((it) => exportColumn(around, it, { reader, query })),
    );
    const missing = grid.filter((it) => !there.includes(it)).map(({ field }) => field);
    const label = localiser.text(definition.label) ?? screen;
    const notes = { ...call, label, now, missing, rows };
    const bytes = workbookOf(needs, { columns, label, rows, now, call, notes });
    const pattern = definition.export?.filename ?? `${screen}-{date}`;
    return { filename: fileNameOf(pattern, now), maxRows: rows.maxRows, isCut: rows.isCut, bytes };
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

function workbookOf(
  { spreadsheets }: Needs,
  { columns, label, rows, now, call: { actor, reader }, notes }: Writing,
): AsyncIterable<Uint8Array> {
  const language = reader.languages.at(-1) === "en" ? "en" : "fr";
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
      aboutSheet(language, () => notesOf(notes, written)),
    ],
  });
}

interface Notes extends ExportCall {
  readonly label: string;
  readonly now: Date;
  readonly missing: readonly string[];
  readonly rows: StreamedRows;
}

/** What the reader of the file must know of it. */
function notesOf(
  { found, request, actor, label, now, missing, rows }: Notes,
  written: number,
): Note[] {
  const { filters, params, sort } = request;
  return [
    [say`Screen`, `${label} (${found.app}/${found.screen})`],
    ...madeBy(actor, now),
    [say`Filters`, given(filters)],
    [say`Parameters`, given(Object.keys(params).length ? params : undefined)],
    [say`Order`, sort?.join(", ") ?? say`that of the query`],
    [say`Rows`, String(written)],
    ...rows.isCut ? [[say`Cut`, cutAt(rows.maxRows)] as Note] : [],
    ...missing.length
      ? [[say`Columns that are not there any more`, missing.join(", ")] as Note]
      : [],
  ];
}

function cutAt(maxRows: number): Sentence {
  return say`There are more rows: this file ends after ${maxRows}, the most an export of this screen holds`;
}

/** Excel takes 31 characters and none of these. */
function sheetName(label: string): string {
  return label.replace(/[\[\]:*?/\\']/g, " ").trim().slice(0, 31) || "Export";
}
