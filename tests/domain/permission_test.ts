import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  canonicalUsername,
  collectContributions,
  computeClosure,
  coversCode,
  cycleThrough,
  effectiveCodes,
  findHeirs,
  isRequired,
  isRoleName,
  permissionSet,
  problemOfGrant,
  problemOfPassword,
  ROLE_TEMPLATES,
  type RoleBook,
} from "#src/domain/permission/mod.ts";

const RUNS = { numRuns: 20_000 };
const name = fc.constantFrom("sql", "crm", "list", "write", "a", "b", "job", "screen");
const segment = fc.oneof(name, fc.constant("*"));
const grant = fc.array(segment, { minLength: 1, maxLength: 5 }).map((it) => it.join(":"));
const required = fc.array(name, { minLength: 2, maxLength: 4 }).map((it) => it.join(":"));
const computeLength = (code: string) => code.split(":").length;

Deno.test("Z1 a grant never covers a code of another length; * stands for exactly one segment", () => {
  fc.assert(
    fc.property(grant, required, (granted, code) => {
      if (granted === "*") return coversCode(granted, code);
      if (computeLength(granted) !== computeLength(code)) return !coversCode(granted, code);
      const same = granted.split(":").every((it, at) => it === "*" || it === code.split(":")[at]);
      return coversCode(granted, code) === same;
    }),
    RUNS,
  );
});

Deno.test("Z1 a required code that holds a wildcard, an empty segment or anything odd is never allowed", () => {
  fc.assert(
    fc.property(
      grant,
      grant,
      (granted, code) =>
        !code.includes("*") || permissionSet([granted]).grantOf(code) === undefined,
    ),
    RUNS,
  );
  const everything = permissionSet(["*"]);
  for (
    const code of [
      "",
      "*",
      "sql",
      "sql:",
      ":a",
      "sql::b",
      "sql:*:b",
      "sql:a b:c",
      "sql:a\n:b",
      "a:b:c:d:e",
      "sql:../x:y",
    ]
  ) {
    assertEquals(everything.grantOf(code), undefined, code);
    assert(!isRequired(code), code);
  }
});

Deno.test("Z1 a set of grants answers as its grants do one by one", () => {
  const valid = fc.constantFrom(
    "sql:*:*",
    "sql:crm:*",
    "sql:*:*:write",
    "job:*",
    "screen:a:b",
    "sql:crm:list",
    "ai:chat",
  );
  fc.assert(
    fc.property(fc.array(valid, { maxLength: 6 }), required, (grants, code) => {
      const found = permissionSet(grants).grantOf(code);
      return (found !== undefined) === grants.some((it) => coversCode(it, code)) &&
        (!found || coversCode(found, code));
    }),
    RUNS,
  );
});

Deno.test("Viewer reads every query and writes none; Editor writes", () => {
  const hold = (template: string) =>
    permissionSet(ROLE_TEMPLATES.find((it) => it.name === template)?.permissions ?? []);
  assertEquals(hold("viewer").grantOf("sql:crm:list"), "sql:*:*");
  assertEquals(hold("viewer").grantOf("sql:crm:list:write"), undefined);
  assertEquals(hold("editor").grantOf("sql:crm:list:write"), "sql:*:*:write");
  assertEquals(hold("settings-editor").grantOf("settings:raw"), undefined);
  assertEquals(hold("settings-editor").grantOf("settings:connectors"), "settings:connectors");
  assertEquals(hold("settings-editor").codes.filter((it) => it.startsWith("sql:")), []);
  assertEquals(
    ROLE_TEMPLATES.flatMap((it) => it.permissions.map(problemOfGrant)).filter(Boolean),
    [],
  );
});

Deno.test("role templates of the contract hold exactly the codes of the contract", () => {
  const viewer = [
    "sql:*:*",
    "api:*:*",
    "screen:*:*",
    "menu:*:*",
    "dashboard:*",
    "chart:*",
    "ai:chat",
  ];
  const sections = [
    "pools",
    "connectors",
    "dictionary",
    "menus",
    "screens",
    "dashboards",
    "charts",
    "jobs",
    "technical",
  ].map((it) => `settings:${it}`);
  const contract: Readonly<Record<string, readonly string[]>> = {
    viewer,
    editor: [...viewer, "sql:*:*:write"],
    "settings-editor": ["settings:read", ...sections, "settings:reload"],
    "job-operator": ["settings:read", "settings:jobs", "job:*"],
    auditor: [
      "settings:read",
      "settings:technical",
      "users:read",
      "license:read",
      "sql:audit:*",
      "api:audit:*",
    ],
  };
  for (const [name, codes] of Object.entries(contract)) {
    const template = ROLE_TEMPLATES.find((it) => it.name === name);
    assertEquals([...template?.permissions ?? []].sort(), [...codes].sort(), name);
  }
});

Deno.test("a role may hold wildcards on the axes of connectors, apps and names only", () => {
  for (
    const code of [
      "sql:*:*",
      "sql:crm:*",
      "screen:*:*",
      "job:*",
      "ai:tool:*",
      "pool:*:read",
      "users:read",
    ]
  ) {
    assertEquals(problemOfGrant(code), undefined, code);
  }
  for (
    const code of [
      "*",
      "*:read",
      "settings:*",
      "users:*",
      "sql:*",
      "sql:*:*:*",
      "license:*",
      "ai:*",
      "x",
      "a:b c",
      "a::b",
    ]
  ) {
    assert(problemOfGrant(code), code);
  }
});

Deno.test("codes covered by a wildcard are removed from a set, and covering respects wildcards", () => {
  assertEquals(permissionSet(["sql:crm:list", "sql:*:*", "sql:crm:*", "users:read"]).codes, [
    "sql:*:*",
    "users:read",
  ]);
  assertEquals(permissionSet(["users:read", "*"]).codes, ["*"]);
  assert(coversCode("sql:*:*", "sql:crm:*"));
  assert(!coversCode("sql:crm:*", "sql:*:*"));
});

const book: RoleBook = new Map([
  ["base", { name: "base", inheritsFrom: [], permissions: ["users:read"] }],
  ["middle", { name: "middle", inheritsFrom: ["base"], permissions: ["jobs:read"] }],
  ["top", {
    name: "top",
    inheritsFrom: ["middle", "base"],
    permissions: ["users:read", "ai:chat"],
  }],
]);

Deno.test("roles include inherited codes, each with the roles it comes from", () => {
  assertEquals(computeClosure(book, ["top"]).sort(), ["base", "middle", "top"]);
  assertEquals([...collectContributions(book, ["top"])], [["ai:chat", ["top"]], ["jobs:read", [
    "middle",
  ]], ["users:read", ["base", "top"]]]);
  assertEquals(effectiveCodes(book, ["middle", "unknown"]), ["jobs:read", "users:read"]);
  assertEquals(findHeirs(book, "base").sort(), ["base", "middle", "top"]);
});

Deno.test("Z9 cycles of length 1, 2 and 50 are found and named", () => {
  const ring = (length: number): RoleBook =>
    new Map(
      Array.from(
        { length },
        (
          _,
          at,
        ) => [`r${at}`, {
          name: `r${at}`,
          inheritsFrom: [`r${(at + 1) % length}`],
          permissions: [],
        }],
      ),
    );
  assertEquals(cycleThrough(ring(1), "r0"), ["r0", "r0"]);
  assertEquals(cycleThrough(ring(2), "r0"), ["r0", "r1", "r0"]);
  assertEquals(cycleThrough(ring(50), "r7")?.length, 51);
  assertEquals(cycleThrough(book, "top"), undefined);
});

Deno.test("usernames have one spelling", () => {
  assertEquals(canonicalUsername("  Ａlice@Example.COM "), "alice@example.com");
  assertEquals([
    canonicalUsername(""),
    canonicalUsername("a b"),
    canonicalUsername("x\0y"),
    canonicalUsername("é".repeat(300)),
  ], [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals([
    isRoleName("Équipe ventes"),
    isRoleName("a/b"),
    isRoleName(" a"),
    isRoleName("a:b"),
  ], [true, false, false, false]);
});

Deno.test("passwords are checked by length and against common ones", () => {
  const problem = (password: string) =>
    problemOfPassword(password, { username: "valentina.rossi", minLength: 12 });
  for (
    const fine of [
      "correct horse battery",
      "пароль из многих слов",
      "x7$kQ!m2&zLp",
      "déjà vu à midi",
    ]
  ) {
    assertEquals(problem(fine), undefined, fine);
  }
  for (
    const weak of [
      "short",
      "password12345",
      "123456789012",
      "aaaaaaaaaaaaaaa",
      "Valentina.Rossi",
      "qwertyuiop99",
      "x".repeat(2_000),
    ]
  ) {
    assert(problem(weak), weak);
  }
});
