import { assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";

const ESCAPE =
  "select query_to_xml(case when set_config('role', 'none', true) = 'none' then 'select name from hidden' end, true, true, '') as x";
const QUERIES = (escape: string) =>
  `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      escape: { sql: "${escape}" }
      who: { sql: "select current_user::text as name" }
      add: { mode: write, sql: "insert into hidden values ('new')" }
`;

Deno.test({
  name: "reads sign in as read_user, and a read_role that a function could undo is refused",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await startQueries();
    const { erp } = it;
    const reader = `${erp.role}_r`;
    const plain = `${erp.role}_p`;
    await erp.owner.unsafe(`create table hidden (name text); insert into hidden values ('secret');
      grant select, insert on hidden to ${erp.role}; create role ${plain}; grant ${plain} to ${erp.role};
      create role ${reader} login password 'reads'`);
    try {
      const url = new URL(erp.url);
      const pool = `driver: postgres, host: ${url.hostname}, port: ${url.port || 5432}, database: ${
        url.pathname.slice(1)
      }, user: ${erp.role}, password: erp, ssl: { mode: disable }`;
      const save = async (more: string, escape: string) => {
        const pools = `version: 1\npools:\n  erp: { ${pool}, ${more} }\n`;
        assertEquals((await it.write("pools", pools)).status, 200);
        return await it.write("connectors", QUERIES(escape));
      };
      await save(`read_role: ${plain}`, "select 1 as x");
      const refused = await it.write("connectors", QUERIES(ESCAPE));
      assertEquals(refused.status, 422);
      assertMatch(refused.body.detail, /query_to_xml would undo the read_role of the pool/);
      const tried = await it.call("POST", "/admin/config/connectors/erp/test-sql", {
        token: it.admin,
        body: { query: `select "set_config"('role', 'none', true)`, params: {} },
      });
      assertMatch(JSON.stringify(tried.body), /set_config would undo the read_role/);

      const saved = await save(`read_user: ${reader}, read_password: reads`, ESCAPE);
      assertEquals(saved.status, 200, JSON.stringify(saved.body));
      const read = (query: string) => it.call("GET", `/api/sql/erp/${query}`, { token: it.admin });
      assertEquals((await read("who")).body.items, [{ name: reader }]);
      const { status, body } = await read("escape");
      assertEquals(status, 422, JSON.stringify(body));
      assertMatch(body.detail, /The database role of the pool may not do this/);
      const written = await it.call("POST", "/api/sql/erp/add:write", {
        token: it.admin,
        body: {},
      });
      assertEquals([written.status, written.body.affected], [200, 1]);
      assertEquals(
        JSON.stringify(
          await it.call("GET", "/admin/config/pools/parsed", {
            token: it.admin,
          }),
        ).includes('"reads"'),
        false,
      );
    } finally {
      await erp.owner.unsafe(
        `drop role ${reader}; revoke ${plain} from ${erp.role}; drop role ${plain}`,
      );
    }
  },
});
