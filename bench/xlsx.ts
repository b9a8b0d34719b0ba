/**
 * Compares two ways to stream a sheet of 300,000 rows of ten columns: our writer on fflate, and exceljs' streaming
 * writer. `deno run -A bench/xlsx.ts [rows]`; each runs in its own process.
 */
import { spawnSync } from "node:child_process";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import process from "node:process";
import ExcelJS from "exceljs";
import { writeWorkbook } from "#src/adapters/xlsx/write_workbook.ts";

const BATCH = 500;

function* batches(rows: number) {
  for (let at = 0; at < rows; at += BATCH) {
    yield Array.from({ length: Math.min(BATCH, rows - at) }, (_, more) => {
      const n = at + more;
      return [
        `INV-${n}`,
        "RI",
        `Customer number ${n % 977} & sons`,
        `=1+${n}`,
        "2026-01-31",
        String(n * 1.01),
        String(n * 0.2),
        "EUR",
        n % 2 ? "Déposée" : "Rejetée",
        n,
      ];
    });
  }
}

const COLUMNS = Array.from({ length: 10 }, (_, at) => ({
  title: `Column ${at}`,
  kind: at === 9 || at === 5 || at === 6
    ? "number" as const
    : at === 4
    ? "date" as const
    : "text" as const,
  format: at === 4 ? "yyyy-mm-dd" : undefined,
  width: 14,
}));

async function own(rows: number, told: (bytes: number) => void) {
  const workbook = {
    creator: "bench",
    created: new Date("2026-01-31"),
    zone: "Europe/Paris",
    sheets: [{
      name: "Rows",
      columns: COLUMNS,
      rows: (async function* () {
        for (const batch of batches(rows)) {
          await turn(); // like rows of a cursor
          yield batch;
        }
      })(),
    }],
  };
  for await (const chunk of writeWorkbook(workbook)) told(chunk.length);
}

async function exceljs(rows: number, told: (bytes: number) => void) {
  const stream = new PassThrough();
  stream.on("data", (chunk) => told(chunk.length));
  const ended = new Promise((resolve) => stream.on("end", resolve));
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: true });
  const sheet = workbook.addWorksheet("Rows", { views: [{ state: "frozen", ySplit: 1 }] });
  sheet.columns = COLUMNS.map(({ title, width }) => ({ header: title, width }));
  for (const batch of batches(rows)) {
    for (const [a, b, c, d, day, x, y, e, f, n] of batch) {
      sheet.addRow([a, b, c, d, new Date(String(day)), Number(x), Number(y), e, f, n]).commit();
    }
    await turn();
  }
  sheet.commit();
  await workbook.commit();
  await ended;
}

const WAYS = { own, exceljs };

async function measure(way: keyof typeof WAYS, rows: number): Promise<void> {
  await WAYS[way](2_000, () => {}); // code that is loaded and compiled once
  const before = process.memoryUsage().rss;
  let [most, bytes, first, stall, last] = [before, 0, 0, 0, performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    stall = Math.max(stall, now - last - 5);
    last = now;
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  const started = performance.now();
  await WAYS[way](rows, (length) => {
    first ||= performance.now() - started;
    bytes += length;
  });
  const ms = performance.now() - started;
  clearInterval(timer);
  process.stdout.write(
    `${way}: ${(ms / 1000).toFixed(2)} s, first byte ${first.toFixed(0)} ms, + ${
      ((most - before) / 1024 ** 2).toFixed(0)
    } MB, longest turn ${stall.toFixed(0)} ms, file ${(bytes / 1024 ** 2).toFixed(1)} MB\n`,
  );
}

const [way, rows = "300000"] = Deno.args;
if (way && way in WAYS) await measure(way as keyof typeof WAYS, Number(rows));
else {
  for (const each of Object.keys(WAYS)) {
    spawnSync(process.execPath, [
      "run",
      "-A",
      "--no-check",
      import.meta.filename ?? "",
      each,
      way ?? "300000",
    ], {
      stdio: "inherit",
    });
  }
}
