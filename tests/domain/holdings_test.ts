import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  collectHoldings,
  covers,
  type Holdings,
  type RoleBook,
  type RowRules,
} from "#src/domain/permission/mod.ts";

const book: RoleBook = new Map(
  [
    { name: "clerk", permissions: ["sql:erp:orders"], inheritsFrom: [] },
    { name: "reader", permissions: ["sql:erp:*"], inheritsFrom: [] },
    { name: "wide", permissions: [], inheritsFrom: [] },
    { name: "own", permissions: [], inheritsFrom: [] },
    { name: "head", permissions: ["users:read"], inheritsFrom: ["clerk", "wide"] },
    { name: "admin", permissions: ["*"], inheritsFrom: [] },
  ].map((it) => [it.name, it]),
);
const ROLES = [...book.keys()];
const COMPANIES = ["1", "2", "3"];

/** Settings whose queries choose rows in every supported way. */
const rules: RowRules = {
  roles: new Set(["wide", "own"]),
  taken: new Set(["claims.company", "claims.region", "user.email"]),
  replaced: new Set(["claims.region"]),
};

const values = fc.oneof(
  fc.constantFrom(...COMPANIES),
  fc.constantFrom(1, 2),
  fc.uniqueArray(fc.constantFrom(...COMPANIES)),
);
const account = fc.record({
  roles: fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 3 }),
  claims: fc.record({ company: values, region: values, team: values }, { requiredKeys: [] }),
  email: fc.constantFrom(null, "1", "2"),
  displayName: fc.constantFrom("", "1"),
});

/** Returns the rows of each query that a user sees, by a model of the product's SQL. */
function getRows({ permissions, values, roles }: Holdings): Set<string> {
  const isAdmin = permissions.codes.includes("*");
  const all = ["none", ...COMPANIES];
  const texts = (name: string) => {
    const value = values[name];
    return value === undefined ? [] : Array.isArray(value) ? value.map(String) : [String(value)];
  };
  const filtered = [
    ...roles.includes("wide") ? all : [],
    ...roles.includes("own") ? texts("claims.company") : [],
  ];
  const rows = {
    taken: texts("claims.company"),
    defaulted: Object.hasOwn(values, "claims.region") ? texts("claims.region") : all,
    mailed: texts("user.email"),
    filtered: isAdmin ? all : filtered,
  };
  return new Set(
    Object.entries(rows).flatMap(([query, found]) => found.map((it) => `${query} ${it}`)),
  );
}

Deno.test("a holder who covers another sees every row that the other sees", () => {
  fc.assert(
    fc.property(account, account, (one, two) => {
      const [holder, other] = [collectHoldings(one, book), collectHoldings(two, book)];
      if (holder.permissions.codes.includes("*") || !covers(holder, other, rules).ok) return;
      const seen = getRows(holder);
      for (const row of getRows(other)) assert(seen.has(row), row);
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("covering is reflexive and transitive, and * covers everything", () => {
  fc.assert(
    fc.property(account, account, account, (...accounts) => {
      const [a, b, c] = accounts.map((it) => collectHoldings(it, book)) as [
        Holdings,
        Holdings,
        Holdings,
      ];
      const over = (one: Holdings, two: Holdings) => covers(one, two, rules).ok;
      assert(over(a, a));
      if (over(a, b) && over(b, c)) assert(over(a, c));
      if (a.permissions.codes.includes("*")) assert(over(a, b));
    }),
    { numRuns: 20_000 },
  );
});

Deno.test("the first lack is named by its kind", () => {
  const account = {
    roles: [] as string[],
    claims: {},
    email: null as string | null,
    displayName: "",
  };
  const lack = (one: Partial<typeof account>, two: Partial<typeof account>) => {
    const holder = collectHoldings({ ...account, ...one }, book);
    const found = covers(holder, collectHoldings({ ...account, ...two }, book), rules);
    return found.ok ? undefined : found.lack;
  };
  assertEquals(lack({}, { roles: ["clerk"] }), { kind: "permission", name: "sql:erp:orders" });
  assertEquals(lack({ roles: ["reader"] }, { roles: ["clerk"] }), undefined);
  assertEquals(lack({ roles: ["clerk"] }, { roles: ["wide"] }), { kind: "role", name: "wide" });
  assertEquals(lack({ roles: ["head"] }, { roles: ["wide"] }), undefined, "inherited");
  const company = { kind: "value" as const, name: "claims.company" };
  assertEquals(lack({}, { claims: { company: "1" } }), company);
  assertEquals(lack({ claims: { company: "2" } }, { claims: { company: "1" } }), company);
  assertEquals(lack({ claims: { company: ["1", "2"] } }, { claims: { company: "1" } }), undefined);
  assertEquals(lack({ claims: { company: 1 } }, { claims: { company: "1" } }), undefined);
  assertEquals(lack({ claims: { company: "1" } }, {}), undefined, "no value shows no row");
  const region = { kind: "default" as const, name: "claims.region" };
  assertEquals(lack({ claims: { region: "1" } }, {}), region, "a default shows other rows");
  const email = { kind: "value" as const, name: "user.email" };
  assertEquals(lack({ email: "2" }, { email: "1" }), email);
  assertEquals(lack({ displayName: "a" }, { displayName: "b" }), undefined, "no query takes it");
  assertEquals(
    lack({ roles: ["admin"] }, { roles: ["wide"], claims: { company: "9" } }),
    undefined,
  );
});
