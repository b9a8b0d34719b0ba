import { createLocaliser } from "#src/definitions/localiser.ts";
import { findQuery, readAllRows } from "#src/framework/connectors/mod.ts";
import { exportScreen, requireScreen, screenNamed } from "#src/framework/screens/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Column } from "#src/ports/pool.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { CSV_START, writeCsvLine } from "#src/platform/exports/mod.ts";
import type { JobRow } from "../rows_store.ts";
import { jobFile } from "../job_files.ts";
import { type StepAction, tellCut, toQueryReader } from "./action.ts";
import { queryTraits } from "./data.ts";

const MAX_ROWS = 100_000;

/** Writes the rows of a screen to a file of the run, readable by users who may see these rows. */
export const exportRows: StepAction<"export"> = {
  needs({ screen }, snapshot) {
    const { source } = getScreen(snapshot, screen);
    const what = say`a step of the job`;
    return [
      { code: `screen:${screen.replace("/", ":")}`, what },
      { code: `sql:${source.connector}:${source.query}`, what },
    ];
  },
  traits: ({ screen }, snapshot) => queryTraits(snapshot, getScreen(snapshot, screen).source),
  isIdempotent: () => true, // the same file again
  async perform(deps, call) {
    const { given: { screen, format, params = {} }, run, step, index, snapshot, actor } = call;
    const { path, address } = jobFile(deps.storage, { run, step: step.id, format, index });
    if (format === "xlsx") {
      const exported = await exportScreen(deps, deps.queries, {
        found: requireScreen(snapshot, screenNamed(screen, "")),
        request: { params },
        actor,
        reader: {
          languages: [actor.language ?? "fr"],
          may: (code) => actor.permissions.grantOf(code) !== undefined,
        },
        errorId: run.id,
        signal: call.signal,
      });
      const bytes = await deps.storage.write(path, exported.bytes);
      tellCut(call, exported.isCut);
      return { output: { file: address, bytes, truncated: exported.isCut } };
    }
    const { source, grid } = getScreen(snapshot, screen);
    const query = findQuery(snapshot, source);
    const { text } = createLocaliser(snapshot, [actor.language ?? "fr"]);
    const dictionary = snapshot.section("dictionary")?.columns ?? {};
    const heading = ({ name }: Column) => {
      const own = grid.columns.find((it) => it.field === name)?.label ??
        query?.definition.columns?.[name]?.label;
      const shared = Object.hasOwn(dictionary, name) ? dictionary[name]?.label : undefined;
      return text(own ?? shared) ?? name;
    };
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writing = deps.storage.write(path, readable);
    writing.catch(() => {}); // heard of below
    const out = newWriter(writable, format === "csv" ? csv(heading) : json());
    const request = {
      ...toQueryReader(call),
      ...source,
      snapshot,
      params,
      most: step.limit ?? MAX_ROWS,
      each: (items: readonly JobRow[], columns: readonly Column[]) => out.rows(items, columns),
    };
    const read = await readAllRows(deps, deps.queries, request).catch(async (error) => {
      await out.abort(error);
      throw error;
    });
    await out.end(read.metadata);
    const bytes = await writing;
    tellCut(call, read.truncated);
    return { output: { file: address, bytes, truncated: read.truncated }, rowCount: read.rows };
  },
};

function getScreen(snapshot: Snapshot, name: string) {
  return requireScreen(snapshot, screenNamed(name, "")).definition;
}

/** Text format of rows: beginning, each row, and end. */
interface Format {
  begin(columns: readonly Column[]): string;
  row(item: JobRow, columns: readonly Column[], at: number): string;
  end(): string;
}

function newWriter(writable: WritableStream<Uint8Array>, format: Format) {
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  let begun = false;
  let at = 0;
  const write = (text: string) => writer.write(encoder.encode(text));
  const begin = async (columns: readonly Column[]) => {
    if (!begun) await write(format.begin(columns));
    begun = true;
  };
  return {
    async rows(items: readonly JobRow[], columns: readonly Column[]) {
      await begin(columns);
      await write(items.map((it) => format.row(it, columns, at++)).join(""));
    },
    async end(columns: readonly Column[]) {
      await begin(columns);
      await write(format.end());
      await writer.close();
    },
    abort: (error: unknown) => writer.abort(error).catch(() => {}),
  };
}

function json(): Format {
  return {
    begin: () => "[",
    row: (item, _, at) => `${at ? ",\n" : ""}${JSON.stringify(item)}`,
    end: () => "]\n",
  };
}

/** Formats CSV by RFC 4180, with a byte order mark for spreadsheets. */
function csv(heading: (column: Column) => string): Format {
  return {
    begin: (columns) => `${CSV_START}${writeCsvLine(columns.map(heading))}`,
    row: (item, columns) => writeCsvLine(columns.map(({ name }) => formatValue(item[name]))),
    end: () => "",
  };
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
