import { assert, assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { join } from "node:path";
import { inState, newRuleSet } from "#src/adapters/rules/rule_set.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import {
  validateDocument,
  type ValidateOptions,
  type Validation,
} from "#src/gateway/validation/mod.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { casesFolder } from "#tests/conformance/support.ts";
import type { RuleOverride } from "#src/ports/rule_book.ts";
import type { Manifest } from "#src/ports/rule_manifest.ts";
import { clockAt, GOLDEN, INVOICE, manifest, type Rule, schema, xsd } from "./support.ts";

const shipped = shippedRuleBook();
const TODAY = "2026-11-20T09:00:00Z";

function judge(source: Uint8Array | string, options: ValidateOptions = {}): Promise<Validation> {
  return validateDocument({ clock: clockAt(TODAY), rules: shipped, xsd }, source, options);
}

/** Validates with one rule set of the test. */
function judgeBy(
  rules: readonly Rule[],
  { at = TODAY, given = {}, overrides = [], options = {} }: {
    at?: string;
    given?: Partial<Manifest>;
    overrides?: readonly RuleOverride[];
    options?: ValidateOptions;
  } = {},
): Promise<Validation> {
  const set = shipped.build(manifest(given), { "house.sch": schema(rules) });
  const book = { ...shipped, sets: () => [set], overrides: () => overrides };
  return validateDocument({ clock: clockAt(at), rules: book, xsd }, INVOICE, options);
}

function getRules({ findings }: Validation): string[] {
  return findings.map((it) => it.rule);
}

Deno.test("our own invoices are valid under EN 16931 and the French rules", async () => {
  for await (const { name } of Deno.readDir(GOLDEN)) {
    const validation = await judge(await Deno.readFile(new URL(name, GOLDEN)));
    assertEquals(validation.findings.filter((it) => it.level !== "INFO"), [], name);
    assertEquals([validation.valid, validation.xsd], [true, { valid: true, errors: 0 }]);
    assertEquals(validation.sets.map((it) => it.id), ["en16931-ubl", "br-fr-flux2-ubl"]);
    assertEquals(validation.rules.ran, validation.rules.of);
    assert(validation.rules.of > 1000);
  }
});

Deno.test("invoices of the French extended profile are validated by its rules and the French ones, in both syntaxes", async () => {
  const samples = new URL("../../conformance/french/", import.meta.url);
  for (const [folder, syntax] of [["extended", "ubl"], ["extended-cii", "cii"]]) {
    const file = new URL(`${folder}/nested-groups.xml`, samples);
    const { valid, sets, findings } = await judge(Deno.readFileSync(file));
    assertEquals(sets.map(({ id }) => id), [`extended-ctc-fr-${syntax}`, `br-fr-flux2-${syntax}`]);
    assertEquals([valid, findings], [true, []]);
  }
});

Deno.test("an invoice in ISO-8859-1, windows-1252 or UTF-16 is validated like the same one in UTF-8", async () => {
  for (const encoding of ["ISO-8859-1", "windows-1252", "UTF-16"]) {
    const declared = INVOICE.replace(
      /^<\?xml[^>]*\?>/,
      `<?xml version="1.0" encoding="${encoding}"?>`,
    )
      .replace("</cbc:Note>", " payée à réception</cbc:Note>");
    assert(declared.includes("payée") && declared.includes(encoding));
    const { valid, xsd, document } = await judge(encodeXml(declared));
    assertEquals([valid, xsd], [true, { valid: true, errors: 0 }], encoding);
    assert(document?.root.text.includes("payée à réception"));
  }
});

Deno.test("a finding explains the mistake in both languages, with its position and business term", async () => {
  const wrong = INVOICE.replace(
    'currencyID="EUR">7211.99</cbc:TaxInclusiveAmount>',
    'currencyID="EUR">7211.98</cbc:TaxInclusiveAmount>',
  );
  const sourceFields = new Map([["BT-112", "R42565/Total_ID31"]]);
  const validation = await judge(wrong, { sourceFields });
  const finding = validation.findings.find((it) => it.rule === "BR-CO-15");
  assertEquals(validation.valid, false);
  assertEquals([finding?.level, finding?.source], ["FATAL", "en16931-ubl"]);
  assert(finding && finding.messageFr !== finding.messageEn && finding.line > 1);
  assertMatch(finding?.businessTerm ?? "", /BT-112/);
  assertEquals(finding?.sourceField, "R42565/Total_ID31");
});

Deno.test("rules run even when the XSD refuses the document", async () => {
  const wrong = INVOICE.replace(
    "<cbc:ID>RI-100000</cbc:ID>",
    "<cbc:ID>RI-100000</cbc:ID><cbc:Nonsense/>",
  );
  const validation = await judge(wrong);
  assertEquals(validation.xsd.valid, false);
  const [first] = validation.findings;
  assertEquals([first?.source, first?.level, first?.line], ["XSD", "FATAL", 5]);
  assert(validation.rules.of > 1000);
});

Deno.test("a document no rule set claims is never valid", async () => {
  const unknown = await judge(INVOICE.replace(">urn:cen.eu:en16931:2017<", ">urn:somewhere:else<"));
  assert(getRules(unknown).includes("RULES-NONE"));
  assertEquals(unknown.valid, false);
  const foreign = await judge("<order xmlns='urn:shop'/>");
  assertEquals([getRules(foreign), foreign.valid, foreign.sets], [
    ["XSD-UNKNOWN-ROOT", "RULES-NONE"],
    false,
    [],
  ]);
});

for (
  const document of [
    "<Invoice/>",
    `<Invoice xmlns="urn:x"/>`,
    `<CreditNote xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>`,
    `<CrossDomainAcknowledgementAndResponse xmlns="urn:x"/>`,
    INVOICE.replaceAll("xsd:Invoice-2", "xsd:Invoice-3"),
  ]
) {
  Deno.test(`a document of a known name in another namespace is never valid: ${document.slice(0, 60)}`, async () => {
    const { valid, sets, findings } = await judge(document);
    assertEquals([valid, sets], [false, []]);
    assert(findings.some((it) => it.rule === "RULES-NONE" && it.level === "FATAL"));
    const root = findings.find((it) => it.rule === "XSD-UNKNOWN-ROOT");
    assertEquals([root?.level, root?.source], ["FATAL", "XSD"]);
    assertMatch(root?.messageFr ?? "", /doit être dans l'espace de noms/);
    assertMatch(root?.messageEn ?? "", /must be in the namespace/);
    assertMatch(root?.expected ?? "", /^urn:(oasis|un):/);
  });
}

Deno.test("a set that names a root without a schema claims it, and its documents are still not valid", async () => {
  const appliesTo = { roots: ["{urn:shop}order"] };
  const set = shipped.build(manifest({ appliesTo }), {
    "house.sch": schema([{ id: "H-1", test: "true()" }]),
  });
  const rules = { ...shipped, sets: () => [set] };
  const validation = await validateDocument(
    { clock: clockAt(TODAY), rules, xsd },
    "<order xmlns='urn:shop'/>",
  );
  assertEquals(getRules(validation), ["XSD-UNKNOWN-ROOT"]);
  assertEquals([validation.valid, validation.sets.length], [false, 1]);
});

Deno.test("an invoice without CustomizationID is validated by the norm, with a notice that no set claims it", async () => {
  const validation = await judge(
    INVOICE.replace(/<cbc:CustomizationID>.*?<\/cbc:CustomizationID>/, ""),
  );
  const none = validation.findings.find((it) => it.rule === "RULES-NONE");
  assertMatch(none?.messageFr ?? "", /ne déclare aucune spécification/);
  assertMatch(none?.messageEn ?? "", /declares no specification/);
  assertEquals([none?.businessTerm, validation.valid], ["BT-24", false]);
  assertEquals(validation.sets[0]?.id, "en16931-ubl");
});

Deno.test("an invoice gets the verdict of the French publication in force, which the verdict names", async () => {
  const judgeOn = async (name: string, day: string) => {
    const deps = { clock: clockAt(`${day}T09:00:00Z`), rules: shipped, xsd };
    const source = await Deno.readFile(join(casesFolder(), "meaning", name));
    const { sets, findings } = await validateDocument(deps, source, {});
    const french = sets.filter(({ id }) => id !== "en16931-ubl").map(({ version }) => version);
    const rules = findings.filter(({ level }) => level === "FATAL").map(({ rule }) => rule);
    return [[...new Set(french)], rules];
  };
  for (
    const [name, former, latter] of [
      ["x01-bar-then-free.xml", ["BR-FR-20_BT-21"], []],
      ["x04-cn-due.xml", [], ["BR-FR-CO-07_BT-9"]],
      ["c07-two-terms-ctc.xml", ["BR-FR-CO-07_BT-9"], []],
    ] as const
  ) {
    assertEquals(await judgeOn(name, "2026-09-03"), [["1.4.0.03"], [...former]], name);
    assertEquals(await judgeOn(name, "2026-09-04"), [["1.4.0.04"], [...latter]], name);
    assertEquals(await judgeOn(name, "2026-11-28"), [["1.4.0.04"], [...latter]], name);
  }
});

Deno.test("an older French publication is applied if its version is requested", async () => {
  const source = await Deno.readFile(join(casesFolder(), "meaning", "x01-bar-then-free.xml"));
  const { sets, findings } = await judge(source, { ruleSets: ["br-fr-flux2-ubl@1.4.0.03"] });
  assertEquals(sets.map(({ version }) => version), ["1.4.0.03"]);
  assertEquals(findings.map(({ rule }) => rule).includes("BR-FR-20_BT-21"), true);
});

Deno.test("requested rule sets replace the declared ones; unknown names are fatal", async () => {
  const one = await judge(INVOICE, { ruleSets: ["br-fr-flux2-ubl"] });
  assertEquals(one.sets.map((it) => it.id), ["br-fr-flux2-ubl"]);
  const none = await judge(INVOICE, { ruleSets: ["nothing"] });
  assertEquals([getRules(none).sort(), none.valid], [["RULES-UNKNOWN"], false]);
  const why = async (name: string, source = INVOICE) => {
    const kept = { effectiveFrom: "", active: false };
    const sets = [
      ...shipped.sets(),
      inState(shipped.build(manifest({}), { "house.sch": schema([]) }), kept),
    ];
    const deps = { clock: clockAt(TODAY), rules: { ...shipped, sets: () => sets }, xsd };
    const { findings } = await validateDocument(deps, source, { ruleSets: [name] });
    return findings.find((it) => it.rule === "RULES-UNKNOWN")?.messageEn.split(", ")[2];
  };
  assertEquals(await why("nothing"), "is not installed");
  assertEquals(await why("house"), "is installed but inactive");
  assertEquals(await why("br-fr-cdv"), "does not speak of a document Invoice");
});

Deno.test("a severity window makes rules milder until its last day, in France's calendar", async () => {
  const rules = [{ id: "F-1", test: "false()" }, { id: "G-1", test: "false()" }];
  const given = { severity: [{ rules: "F-*", flag: "warning" as const, until: "2026-11-30" }] };
  const levelsAt = async (at: string) => {
    const { findings } = await judgeBy(rules, { at, given });
    return findings.filter((it) => it.source === "house").map((it) => it.level);
  };
  assertEquals(await levelsAt("2026-11-30T22:59:59Z"), ["WARNING", "FATAL"]);
  assertEquals(await levelsAt("2026-11-30T23:00:00Z"), ["FATAL", "FATAL"]);
});

Deno.test("a window of one direction leaves the other as it is", async () => {
  const given = {
    severity: [{ rules: "*", flag: "warning" as const, direction: "received" as const }],
  };
  const rules = [{ id: "F-1", test: "false()" }];
  const received = await judgeBy(rules, { given, options: { direction: "received" } });
  const issued = await judgeBy(rules, { given, options: { direction: "issued" } });
  assertEquals([received.valid, issued.valid], [true, false]);
});

Deno.test("an unknown flag blocks", async () => {
  assertEquals((await judgeBy([{ id: "F-1", test: "false()", flag: "peut-être" }])).valid, false);
  assertEquals((await judgeBy([{ id: "F-1", test: "false()", flag: "information" }])).valid, true);
});

Deno.test("a rule that cannot be evaluated is fatal, says so, and the others still run", async () => {
  const rules = [
    { id: "N-1", test: "xs:decimal(cbc:ID) > 0", flag: "warning" },
    { id: "F-1", test: "false()" },
  ];
  const { findings, rules: count } = await judgeBy(rules);
  const [first] = findings.filter((it) => it.source === "house");
  assertEquals([first?.rule, first?.level], ["N-1", "FATAL"]);
  assertMatch(first?.messageEn ?? "", /could not be evaluated/);
  assertMatch(first?.messageFr ?? "", /n'a pas pu être évaluée/);
  assertEquals(findings.map((it) => it.evaluated).slice(0, 2), [false, undefined]);
  assert(findings.some((it) => it.rule === "F-1"));
  assertEquals(count, { ran: 1, of: 2 });
});

Deno.test("neither an override nor a window downgrades a rule that could not be evaluated", async () => {
  const rules = [{ id: "N-1", test: "xs:decimal(cbc:ID) > 0" }];
  const overrides = (["OFF", "INFO"] as const).map((level, id): RuleOverride => ({
    id,
    ruleSet: "house",
    rule: "N-1",
    level,
    author: "claire",
    reason: "Règle publiée fausse",
    expiresAt: new Date("2027-01-01"),
    createdAt: new Date(TODAY),
  }));
  const given = { severity: [{ rules: "*", flag: "info" as const }] };
  for (const one of overrides) {
    const { findings, valid, overrides } = await judgeBy(rules, { overrides: [one], given });
    assertEquals(findings.find((it) => it.rule === "N-1")?.level, "FATAL");
    assertEquals([valid, overrides.map((it) => it.findings)], [false, [0]]);
  }
});

Deno.test("a rule set that cannot be applied is a fatal finding, and the others still apply", async () => {
  const files = () => ({ "house.sch": "<schema" });
  const state = { effectiveFrom: "", active: true };
  const broken = newRuleSet(manifest(), { files, from: "shipped", state });
  const book = { ...shipped, sets: () => [broken, ...shipped.sets()] };
  const validation = await validateDocument({ clock: clockAt(TODAY), rules: book, xsd }, INVOICE);
  assertEquals(getRules(validation), ["RULES-STOPPED"]);
  assertEquals([validation.valid, validation.findings[0]?.source], [false, "house"]);
  assert(validation.rules.of > 1000);
});

Deno.test("advice of ours informs and does not block", async () => {
  const wrong = INVOICE.replace("FR7630006000011234567890189", "FR7630006000011234567890180");
  const validation = await judge(wrong);
  assertEquals(validation.findings.map((it) => [it.level, it.rule]), [["INFO", "ADV-IBAN"]]);
  assertEquals(validation.valid, true);
});

for (
  const [what, source, rule, line, column] of [
    ["an empty document", "", "XML-SYNTAX", 1, 1],
    ["a truncated one", INVOICE.slice(0, 1500), "XML-SYNTAX", 0, 0],
    ["a DOCTYPE", `<?xml version="1.0"?>\n<!DOCTYPE a>\n<a/>`, "XML-DOCTYPE", 2, 1],
    ["an entity", `<a>\n &evil;</a>`, "XML-ENTITY", 2, 2],
    ["another encoding", new Uint8Array([60, 97, 62, 0xe9, 60, 47, 97, 62]), "XML-ENCODING", 1, 4],
    ["depth", "<a>".repeat(200), "XML-DEPTH", 1, 301],
  ] as const
) {
  Deno.test(`${what} is one fatal finding with its place`, async () => {
    const validation = await judge(source);
    assertEquals(validation.findings.length, 1);
    const [finding] = validation.findings;
    assertEquals([finding?.level, finding?.source, finding?.rule], ["FATAL", "XML", rule]);
    if (line > 0) assertEquals([finding?.line, finding?.column], [line, column]);
    else assert(finding && finding.line > 0 && finding.column > 0);
    assert(finding && finding.messageFr !== finding.messageEn);
    assertEquals([validation.valid, validation.document], [false, undefined]);
  });
}

Deno.test("no damage to a document makes validation throw", async () => {
  const edit = fc.record({
    at: fc.nat(INVOICE.length - 1),
    drop: fc.nat(60),
    put: fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.constantFrom(
        "<",
        "&",
        "]]>",
        "<!--",
        "<![CDATA[",
        "xmlns=''",
        "-1E400",
        "NaN",
        "\0",
        "\uFFFF",
        "",
      ),
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
      let text = INVOICE;
      for (const { at, drop, put } of edits) text = text.slice(0, at) + put + text.slice(at + drop);
      const { valid, findings } = await judge(text);
      assertEquals(valid, !findings.some((it) => it.level === "FATAL"));
      assertEquals(findings.every((it) => it.messageFr !== "" && it.messageEn !== ""), true);
    }),
    { numRuns: 150 },
  );
});

Deno.test("no value in an element makes validation throw", async () => {
  const places = [...INVOICE.matchAll(/>([^<>\n]+)</g)].map((it) =>
    [it.index + 1, it[1]?.length ?? 0] as const
  );
  const value = fc.constantFrom(
    "",
    "-0",
    "1e5",
    "∞",
    "99999999999999999999999999",
    "0.00000000001",
    "2026-13-45",
    "x".repeat(500),
    "  ",
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), value, async ([at, length], put) => {
      const validation = await judge(INVOICE.slice(0, at) + put + INVOICE.slice(at + length));
      assertEquals(validation.valid, !validation.findings.some((it) => it.level === "FATAL"));
    }),
    { numRuns: 200 },
  );
});
