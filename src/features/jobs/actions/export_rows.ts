import { localiserOf } from "#src/definitions/localiser.ts";
import { findQuery, readAllRows } from "#src/features/connectors/mod.ts";
import { exportScreen, findScreen, screenNamed } from "#src/features/screens/mod.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Column } from "#src/ports/pool.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Item } from "../rows_store.ts";
import { jobFile } from "../job_files.ts";
import { type Action, readerOf, tellCut } from "./action.ts";
import { queryTraits } from "./data.ts";

const MOST_ROWS = 100_000;

/** Writes the rows of a screen into a file of the run's own, which is read by whom these rows are for. */
export const exportRows: Action<"export"> = {
  needs({ screen }, snapshot) {
    const { source } = screenOf(snapshot, screen);
    const what = say`a step of the job`;
    return [
      { code: `screen:${screen.replace("/", ":")}`, what },
      { code: `sql:${source.connector}:${source.query}`, what },
    ];
  },
  traits: ({ screen }, snapshot) => queryTraits(snapshot, screenOf(snapshot, screen).source),
  isIdempotent: () => true, // the same file again
  async perform(needs, call) {
    const { given: { screen, format, params = {} }, run, step, index, snapshot, actor } = call;
    const { path, address } = jobFile(needs.storage, { run, step: step.id, format, index });
    if (format === "xlsx") {
      const exported = await exportScreen(needs, needs.queries, {
        found: findScreen(snapshot, screenNamed(screen, "")),
        request: { params },
        actor,
        reader: {
          languages: [actor.language ?? "fr"],
          may: (code) => actor.permissions.grantOf(code) !== undefined,
        },
        errorId: run.id,
        signal: call.signal,
      });
      const bytes = await needs.storage.write(path, exported.bytes);
      tellCut(call, exported.isCut);
      return { output: { file: address, bytes, truncated: exported.isCut } };
    }
    const { source, grid } = screenOf(snapshot, screen);
    const query = findQuery(snapshot, source);
    const { text } = localiserOf(snapshot, [actor.language ?? "fr"]);
    const dictionary = snapshot.section("dictionary")?.columns ?? {};
    const heading = ({ name }: Column) => {
      const own = grid.columns.find((it) => it.field === name)?.label ??
        query?.definition.columns?.[name]?.label;
      const shared = Object.hasOwn(dictionary, name) ? dictionary[name]?.label : undefined;
      return text(own ?? shared) ?? name;
    };
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writing = needs.storage.write(path, readable);
    writing.catch(() => {}); // heard of below
    const out = newWriter(writable, format === "csv" ? csv(heading) : json());
    const request = {
      ...readerOf(call),
      ...source,
      snapshot,
      params,
      most: step.limit ?? MOST_ROWS,
      each: (items: readonly Item[], columns: readonly Column[]) => out.rows(items, columns),
    };
    const read = await readAllRows(needs, needs.queries, request).catch(async (error) => {
      await out.abort(error);
      throw error;
    });
    await out.end(read.metadata);
    const bytes = await writing;
    tellCut(call, read.truncated);
    return { output: { file: address, bytes, truncated: read.truncated }, rowCount: read.rows };
  },
};

function screenOf(snapshot: Snapshot, name: string) {
  return findScreen(snapshot, screenNamed(name, "")).definition;
}

/** How rows become text: before the first, each of them, after the last. */
interface Format {
  begin(columns: readonly Column[]): string;
  row(item: Item, columns: readonly Column[], at: number): string;
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
    async rows(items: readonly Item[], columns: readonly Column[]) {
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

/** RFC 4180, with a mark that tells spreadsheets it is UTF-8. */
function csv(heading: (column: Column) => string): Format {
  const line = (cells: readonly string[]) => `${cells.map(cell).join(",")}\r\n`;
  return {
    begin: (columns) => `\uFEFF${line(columns.map(heading))}`,
    row: (item, columns) => line(columns.map(({ name }) => shown(item[name]))),
    end: () => "",
  };
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What a spreadsheet would take for a formula is text to it, also where it parts cells at `;` or tabs. */
function cell(text: string): string {
  const isFormula = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)|[;\t]\s*[=+@-]/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
