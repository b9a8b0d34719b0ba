// A process with the embedded database alone: writes rows of 100 kB, tells of each that is kept, and ends where no more is taken.
import process from "node:process";
import { startPglite } from "#src/adapters/pglite/client.ts";

const client = await startPglite({ folder: process.argv[2] ?? "", parameters: [] });
await client.exec("create table if not exists kept (id int primary key, filling text)");
const { rows: [{ kept } = { kept: 0 }] } = await client.query<{ kept: number }>(
  "select count(*)::int kept from kept",
);
process.stdout.write(`found ${kept}\n`);
for (let id = kept; process.argv[3] === "write"; id++) {
  // Many texts of random digits, which do not shrink when they are compressed.
  const insert =
    "insert into kept select $1, string_agg(md5(random()::text), '') from generate_series(1, 3000)";
  await client.query(insert, [id]);
  process.stdout.write(`kept ${id}\n`);
}
await client.close();
process.exit(0);
