import { assert, assertEquals, assertMatch } from "@std/assert";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { collectRowRules } from "#src/definitions/row_rules.ts";
import { covers, type Holdings } from "#src/domain/permission/mod.ts";
import { changeRole, createRole } from "#src/platform/access/users/change_roles.ts";
import { changeUser, createUser, readActor, setPassword } from "#src/platform/access/mod.ts";
import { holdingsOfActor } from "#src/platform/access/users/grants.ts";
import { readRoleBook } from "#src/platform/access/users/role_store.ts";
import { textsHere } from "#src/framework/configuration/mod.ts";
import { saveText } from "#src/framework/configuration/sections.ts";
import { refusalOfAuthor } from "#src/framework/jobs/acting.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import { PASSWORD } from "#tests/support/access.ts";
import { startSettings } from "#tests/support/settings.ts";

const POOLS = `version: 1
pools: { main: { driver: sqlite, file: main.db } }
`;

/** One role shows rows, one value shows rows, and one default shows rows to users without the value. */
const connectors = (list: string) =>
  `version: 1
connectors:
  erp:
    type: sql
    pool: main
    queries:
      list: { sql: ${list} }
      own:
        sql: select 1 as company
        row_filter: { wide: company > 0, "own rows": "company = :claims.company" }
      region:
        sql: select :region as region
        params: { region: { type: string, from: claims.region, default: all } }
`;

const job = (runAs: string, value: number) =>
  `version: 1
jobs:
  act:
    label: Act
    run_as: ${runAs}
    steps:
      - { id: read, query: { connector: erp, query: list } }
      - { id: say, set: { a: ${value} } }
`;

/** Every account here has it, so that the cases differ only in other permissions. */
const BASE = ["pool:main:read", "sql:erp:list"];
const ROLES = [
  { name: "clerk", permissions: ["sql:erp:orders"] },
  { name: "reader", permissions: ["sql:erp:*"] },
  { name: "wide", permissions: [] },
  { name: "own rows", permissions: [] },
  { name: "head", permissions: ["users:read"], inheritsFrom: ["clerk", "wide"] },
];

const person = fc.record({
  roles: fc.uniqueArray(fc.constantFrom("clerk", "reader", "wide", "own rows", "head"), {
    maxLength: 3,
  }),
  claims: fc.record({
    company: fc.constantFrom<string | string[]>("1", "2", ["1", "2"]),
    region: fc.constantFrom("north", "south"),
  }, { requiredKeys: [], noNullPrototype: true }),
});
type Person = typeof person extends fc.Arbitrary<infer P> ? P : never;

interface Pair {
  readonly by: Actor;
  readonly name: string;
  readonly target: Person;
}

async function actorNow(deps: Parameters<typeof readActor>[0], username: string): Promise<Actor> {
  const actor = await readActor(deps, username);
  if (!actor) throw new Error(`${username} has no active account`);
  return actor;
}

async function startDoors() {
  const it = await startSettings();
  const deps = {
    ...it.deps,
    configuration: it.configuration,
    sectionTexts: textsHere(yamlTexts),
  };
  const admin = await actorNow(deps, "admin");
  let made = 0;
  const fresh = async (of: Partial<Person> & { active?: boolean }) => {
    const user = { username: `user${++made}`, password: PASSWORD, ...of };
    return await createUser(deps, { ...user, roles: ["base", ...of.roles ?? []] }, admin);
  };
  const save = (name: "connectors" | "jobs" | "pools", text: string, by: Actor) =>
    saveText(deps, { name, text }, { by, rights: by.permissions, mayReload: true });
  await createRole(deps, { name: "base", change: { permissions: BASE }, by: admin });
  for (const { name, ...change } of ROLES) await createRole(deps, { name, change, by: admin });
  await save("pools", POOLS, admin);
  await save("connectors", connectors("select 1"), admin);
  return {
    ...it,
    deps,
    admin,
    fresh,
    save,
    next: () => ++made,
    [Symbol.asyncDispose]: () => it[Symbol.asyncDispose](),
  };
}
type Doors = Awaited<ReturnType<typeof startDoors>>;

/** Every way to act beyond one's own permissions, called through the function of a route, a save or a run. */
const DOORS: Readonly<Record<string, (doors: Doors, pair: Pair) => Promise<unknown>>> = {
  "set the password": ({ deps }, { by, name }) =>
    setPassword(deps, { username: name, password: "a new quiet evening", by }),
  "change the account": ({ deps }, { by, name }) =>
    changeUser(deps, { username: name, change: { email: "mine@example.com" }, by }),
  "activate the account again": async ({ deps, fresh }, { by, target }) =>
    changeUser(deps, {
      username: await fresh({ ...target, active: false }),
      change: { active: true },
      by,
    }),
  "create an account like it": ({ deps, next }, { by, target }) =>
    createUser(
      deps,
      { username: `made${next()}`, ...target, roles: ["base", ...target.roles] },
      by,
    ),
  "give an account its roles and claims": async ({ deps, fresh }, { by, target }) =>
    changeUser(deps, {
      // An account that any caller here covers: its region is the caller's own.
      username: await fresh({ claims: getRegion(by) }),
      change: { ...target, roles: ["base", ...target.roles] },
      by,
    }),
  "let a job act in its name": ({ save, next }, { by, name }) =>
    save("jobs", job(name, next()), by),
  "change a query that a job runs in its name": async ({ admin, save, next }, { by, name }) => {
    await save("jobs", job(name, next()), admin);
    await save("connectors", connectors(`select ${next()} as n`), by);
  },
  "have a job run in its name": async ({ admin, deps, save, next }, { by, name }) => {
    await save("jobs", job(name, next()), admin);
    await deps.db.execute(sql`update job_authors set author = ${by.username}`);
    const refusal = await refusalOfAuthor(deps, { job: "act", actingAs: name, requestedBy: null });
    if (refusal) throw new AppError("forbidden", refusal);
  },
};

/** Ways that grant codes and roles, but no claims. */
const ROLE_DOORS: Readonly<Record<string, (doors: Doors, pair: Pair) => Promise<unknown>>> = {
  "inherit its roles": ({ deps, next }, { by, target }) =>
    createRole(deps, { name: `role ${next()}`, change: { inheritsFrom: target.roles }, by }),
  "add its roles to a role": async ({ admin, deps, next }, { by, target }) => {
    const name = `role ${next()}`;
    await createRole(deps, { name, change: { inheritsFrom: ["base"] }, by: admin });
    await changeRole(deps, { name, change: { inheritsFrom: ["base", ...target.roles] }, by });
  },
};

function getRegion({ profile }: Actor): Person["claims"] {
  const region = profile?.claims["region"];
  return region === "north" || region === "south" ? { region } : {};
}

async function isOpen(door: Promise<unknown>): Promise<boolean> {
  try {
    await door;
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "forbidden") throw error;
    return false;
  }
}

Deno.test("every entry point accepts exactly the callers who cover the account behind it", async () => {
  await using doors = await startDoors();
  const { deps, fresh } = doors;
  const seen = new Map<string, Set<boolean>>();
  for (const [one, target] of fc.sample(fc.tuple(person, person), { numRuns: 20, seed: 42 })) {
    const by = await actorNow(deps, await fresh(one));
    const name = await fresh(target);
    const other = await deps.accounts.holdingsOf(name);
    if (!other) throw new Error(`${name} has no active account`);
    const holder = holdingsOfActor(by, await readRoleBook(deps.db));
    const rules = collectRowRules(deps.configuration.current());
    const expected = (reach: Holdings) => covers(holder, reach, rules).ok;
    const tried = [
      ...Object.entries(DOORS).map((it) => [...it, expected(other)] as const),
      ...Object.entries(ROLE_DOORS).map((it) =>
        [...it, expected({ ...other, values: holder.values })] as const
      ),
    ];
    for (const [door, open, may] of tried) {
      const what = `${door}: ${JSON.stringify({ one, target })}`;
      assertEquals(await isOpen(open(doors, { by, name, target })), may, what);
      seen.set(door, (seen.get(door) ?? new Set()).add(may));
    }
  }
  for (const [door, answers] of seen) assertEquals(answers.size, 2, `${door} was open and shut`);
});

/**
 * Files that write accounts, roles, settings, rules, schedules, runs or approvals, and why nobody can exceed their
 * permissions.
 */
const WRITERS: Readonly<Record<string, string>> = {
  "src/platform/access/users/change_users.ts": "checkCovers",
  "src/platform/access/users/change_roles.ts": "checkCovers",
  "src/framework/configuration/change_sections.ts": "checkActingNames",
  "src/framework/jobs/start_run.ts":
    "a run acts as its caller, or is checked when a worker takes it",
  "src/platform/access/users/federated_account.ts":
    "the identity provider gives, as the operator set it up",
  "src/platform/access/users/first_start.ts": "the operator gives",
  "src/platform/access/users/rename_codes.ts": "roles grant what they granted",
  "src/platform/templates/change_templates.ts": "acts as the author: ownerOf",
  "src/platform/templates/renew_templates.ts": "the owner stays",
  "src/framework/assistant/mcp/store.ts":
    "an approval is answered by its owner, for a call of the owner",
  "src/framework/assistant/conversations/store.ts":
    "an approval is answered by its owner, for a call of the owner",
};
const WRITES =
  /\b(insertUser|updateUser|replaceRoles|insertRole|updateRole|insertTemplate|replaceTemplate)\(|insertRevision\(tx, \{ author|insertRun\(tx, \{ \.\.\.run, phase|insert\((aiQuestions|aiConversations)\)/;

Deno.test("each writer of accounts, roles, jobs, rules, schedules or approvals compares holdings", async () => {
  const files = (await readdir("src", { recursive: true })).map((it) => join("src", it))
    .filter((it) => it.endsWith(".ts") && !/_store\.ts$|templates\/store\.ts$/.test(it));
  const writers: string[] = [];
  for (const file of files) {
    const text = await readFile(file, "utf8");
    if (!WRITES.test(text)) continue;
    writers.push(file);
    const check = WRITERS[file] ?? "";
    if (/^check\w+$/.test(check)) {
      assertMatch(text, new RegExp(`await ${check}\\(|\\b${check}\\(deps`));
    }
  }
  assertEquals(writers.sort(), Object.keys(WRITERS).sort());
});

Deno.test("permission sets are compared in one place", async () => {
  const allowed = [
    "src/domain/permission/",
    "src/platform/access/users/explain.ts", // only displays data
    "src/platform/access/users/holders.ts", // only displays data
    "src/framework/connectors/http/routes.ts", // a wildcard that a call needs
    "src/http/idempotency.ts", // a replay checks the permissions of the first call again
  ];
  const files = (await readdir("src", { recursive: true })).map((it) => join("src", it))
    .filter((it) => it.endsWith(".ts") && !allowed.some((own) => it.startsWith(own)));
  for (const file of files) {
    assert(!/\bcoversCode\b/.test(await readFile(file, "utf8")), file);
  }
});
