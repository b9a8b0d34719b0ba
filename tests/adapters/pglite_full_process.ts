// A process with only the embedded database. It writes rows of 100 kB, reports each stored row, and ends when a write
// fails.
import process from "node:process";
import { startPglite } from "#src/adapters/pglite/client.ts";

const client = await startPglite({ folder: process.argv[2] ?? "", parameters: [] });
await client.exec("create table if not exists kept (id int primary key, filling text)");
const { rows: [{ kept } = { kept: 0 }] } = await client.query<{ kept: number }>(
  "select count(*)::int kept from kept",
);
process.stdout.write(`found ${kept}\n`);
for (let id = kept; process.argv[3] === "write"; id++) {
  // Texts of random digits, which compress badly.
  const insert =
    "insert into kept select $1, string_agg(md5(random()::text), '') from generate_series(1, 3000)";
  await client.query(insert, [id]);
  process.stdout.write(`kept ${id}\n`);
}
await client.close();
process.exit(0);
