import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import mysql from "mysql2/promise";
import { mysqlPool } from "#src/adapters/pools/mysql/pool.ts";
import { deps, mysqlServer } from "#tests/support/db.ts";

Deno.test({
  ...deps("MariaDB", mysqlServer?.host),
  name:
    "an account that could read files of the server is refused, directly and through the role of reads",
  fn: async () => {
    const server = mysqlServer ?? { host: "", user: "", password: "" };
    const admin = await mysql.createConnection({ ...server, multipleStatements: true });
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    const role = `${name}r`;
    await admin.query(`create database ${name}; create user ${name}@'%' identified by 'erp';
      grant select, insert on ${name}.* to ${name}@'%'; create role ${role}; grant file on *.* to ${role};
      grant ${role} to ${name}@'%'`);
    const settings = {
      host: server.host,
      database: name,
      user: name,
      password: "erp",
      ssl: { mode: "disable" as const },
      connections: { max: 1, idleMs: 1_000, acquireMs: 5_000 },
      session: {},
    } as Parameters<typeof mysqlPool>[0];
    const limits = { timeoutMs: 5_000, maxRows: 1, maxBytes: 10_000 };
    const read = async (more: Partial<typeof settings> = {}) => {
      const pool = mysqlPool({ ...settings, ...more });
      try {
        const sql = { text: "select load_file('/etc/passwd') as f", values: [] };
        return (await pool.read(sql, limits)).rows;
      } finally {
        await pool.close();
      }
    };
    try {
      assertEquals(await read(), [[null]], "MariaDB answers null to an account without FILE");
      const byRole = await assertRejects(() => read({ readRole: role }));
      assertStringIncludes((byRole as Error).message, "has the privilege FILE");
      await admin.query(`grant file, process on *.* to ${name}@'%'`);
      const direct = await assertRejects(() => read());
      assertStringIncludes((direct as Error).message, "has the privilege FILE");
      await admin.query(`grant all privileges on *.* to ${name}@'%'`);
      await assertRejects(() => read(), Error, "has the privilege FILE");
    } finally {
      await admin.query(`drop database ${name}; drop user ${name}@'%'; drop role ${role}`);
      await admin.end();
    }
  },
});
