import { assertEquals } from "@std/assert";
import { parseXml } from "#src/xml/mod.ts";
import { ADVISORY_IDS } from "#src/domain/validation/advice.ts";
import { adviseOn } from "#src/domain/validation/advisories.ts";
import {
  dateExists,
  frenchVatKey,
  glnIsValid,
  ibanIsValid,
  ibanLength,
  sirenIsValid,
  siretIsValid,
} from "#src/domain/validation/identifiers.ts";

const INVOICE = new URL("../conformance/french/all-parties.xml", import.meta.url);

const CHECKS: readonly [
  string,
  (value: string) => boolean,
  readonly string[],
  readonly string[],
][] = [
  ["a SIREN has nine digits and a check digit", sirenIsValid, [
    "438570830",
    "552100554",
    "356000000",
    "000000000",
  ], ["438570831", "43857083", "4385708300", " 438570830", "43857083A", "", "٤٣٨٥٧٠٨٣٠"]],
  ["a SIRET has fourteen digits and a check digit, La Poste its own", siretIsValid, [
    "43857083010001",
    "35600000000048",
    "35600000049837",
  ], ["43857083010002", "35600000049838", "4385708301000", "4385708301000X", ""]],
  ["an IBAN has its country's length and remainder 1", ibanIsValid, [
    "FR7630006000011234567890189",
    "FR76 3000 6000 0112 3456 7890 189",
    "DE89370400440532013000",
    "GB29NWBK60161331926819",
    "MT84MALT011000012345MTLCAST001S",
    "NO9386011117947",
  ], [
    "FR7630006000011234567890188",
    "FR763000600001123456789018",
    "ZZ89370400440532013000",
    "fr7630006000011234567890189",
    "FR76",
    "",
  ]],
  [
    "a GLN has thirteen digits and a check digit",
    glnIsValid,
    ["4000001000005", "5790000436057"],
    [
      "4000001000006",
      "400000100000",
      "40000010000055",
      "",
    ],
  ],
  ["a date is a day of the calendar", dateExists, [
    "2026-02-28",
    "2024-02-29",
    "2000-02-29",
    "2026-12-31",
  ], [
    "2026-02-29",
    "2026-02-31",
    "1900-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-4-1",
    "20260401",
    "",
  ]],
];

for (const [behaviour, isValid, right, wrong] of CHECKS) {
  Deno.test(behaviour, () => {
    assertEquals(right.filter((value) => !isValid(value)), []);
    assertEquals(wrong.filter(isValid), []);
    assertEquals(right.length > 0, true);
  });
}

Deno.test("the key of a French VAT number follows from the SIREN", () => {
  assertEquals(frenchVatKey("438570830"), "40");
  assertEquals(frenchVatKey("435714324"), "84");
  assertEquals(frenchVatKey("000000031"), "08");
  assertEquals(frenchVatKey("43857083"), undefined);
  assertEquals(ibanLength("FR"), 27);
  assertEquals(ibanLength("US"), undefined);
});

/**
 * Each row breaks a valid invoice at one position: [message, replaced text, replacement, value, expected, business
 * term].
 */
const CASES: readonly [string, string, string, string | undefined, string | undefined, string][] = [
  [
    "ADV-SIREN-LUHN",
    'schemeID="0224">R-1',
    'schemeID="0231">552100555',
    "552100555",
    undefined,
    "BT-29",
  ],
  [
    "ADV-SIREN-BLANK",
    'schemeID="0002">435714324<',
    'schemeID="0002"> 435714324 <',
    " 435714324 ",
    "435714324",
    "BT-47",
  ],
  [
    "ADV-SIRET-LUHN",
    'schemeID="0009">43857083010001',
    'schemeID="0009">43857083010002',
    "43857083010002",
    undefined,
    "BT-29",
  ],
  [
    "ADV-SIRET-SIREN",
    'schemeID="0009">43857083010001',
    'schemeID="0009">43571432410008',
    "43571432410008",
    "43857083010008",
    "BT-29",
  ],
  [
    "ADV-SIRET-SIREN",
    'schemeID="0225">435714324',
    'schemeID="0225">435714324_43857083010001',
    "43857083010001",
    "43571432410001",
    "BT-49",
  ],
  ["ADV-VAT-KEY", "FR40438570830", "FR41438570830", "FR41438570830", "FR40438570830", "BT-31"],
  [
    "ADV-VAT-KEY",
    "FR40438570830",
    "FR 41 438 570 830",
    "FR 41 438 570 830",
    "FR40438570830",
    "BT-31",
  ],
  ["ADV-VAT-SIREN", "FR40438570830", "FR84435714324", "FR84435714324", "FR40438570830", "BT-31"],
  [
    "ADV-VAT-SIREN",
    "FR40438570830",
    "FR 84 435714324",
    "FR 84 435714324",
    "FR40438570830",
    "BT-31",
  ],
  [
    "ADV-SIREN-LUHN",
    'schemeID="0225">435714324',
    'schemeID="0225">435714325',
    "435714325",
    undefined,
    "BT-49",
  ],
  [
    "ADV-SIREN-LUHN",
    'schemeID="0225">435714324',
    'schemeID="0225">435714325_SALES',
    "435714325_SALES",
    undefined,
    "BT-49",
  ],
  [
    "ADV-IBAN",
    ">FR7630006000011234567890189",
    ">FR7630006000011234567890188",
    "FR7630006000011234567890188",
    undefined,
    "BT-84",
  ],
  [
    "ADV-IBAN",
    ">FR7630006000011234567890189",
    ">FR763000600001123456789018",
    "FR763000600001123456789018",
    "27",
    "BT-84",
  ],
  [
    "ADV-IBAN",
    ">FR7630006000011234567890189",
    ">fr76 3000 6000 0112 3456 7890 188",
    "fr76 3000 6000 0112 3456 7890 188",
    undefined,
    "BT-84",
  ],
  [
    "ADV-IBAN",
    ">FR7630006000011234567890189",
    ">fr76 3000 6000 0112 3456 7890 18",
    "fr76 3000 6000 0112 3456 7890 18",
    "27",
    "BT-84",
  ],
  [
    "ADV-GLN",
    'schemeID="0224">R-1',
    'schemeID="0088">4000001000006',
    "4000001000006",
    undefined,
    "BT-29",
  ],
  [
    "ADV-DATE",
    "<cbc:ActualDeliveryDate>2026-09-25",
    "<cbc:ActualDeliveryDate>2026-02-31",
    "2026-02-31",
    undefined,
    "BT-72",
  ],
  [
    "ADV-DATE",
    "<cbc:DueDate>2026-11-09",
    "<cbc:DueDate>2026-09-24",
    "2026-09-24",
    "≥ 2026-09-25",
    "BT-9",
  ],
  [
    "ADV-DATE",
    "<cbc:DueDate>2026-11-09",
    "<cbc:DueDate>2028-01-01",
    "2028-01-01",
    "≥ 2026-09-25",
    "BT-9",
  ],
  ["ADV-EMPTY-NOTE", "#PMT#Indemnité forfaitaire de 40 €", "#PMT# ", "#PMT# ", "#PMT#…", "BT-22"],
  ["ADV-ITEM-ATTRIBUTE", "<cbc:Name>Couleur</cbc:Name>", "", undefined, "cbc:Name", "BG-32 BT-160"],
];

for (const [rule, from, to, value, expected, term] of CASES) {
  Deno.test(`${rule} tells of ${to === "" ? "a missing name" : to}`, async () => {
    const sound = await soundInvoice();
    assertEquals(sound.includes(from), true);
    const [finding, ...others] = adviseOn(parseXml(sound.replace(from, to)));
    assertEquals(others, []);
    assertEquals(
      [finding?.rule, finding?.value, finding?.expected, finding?.businessTerm],
      [rule, value, expected, term],
    );
    assertEquals([finding?.level, finding?.source], ["INFO", "advisory"]);
    assertEquals((finding?.line ?? 0) > 1 && (finding?.column ?? 0) > 0, true);
    assertEquals(finding?.messageFr.startsWith("Conseil de Passerelle : "), true);
    assertEquals(finding?.messageEn.startsWith("Passerelle's advice: "), true);
  });
}

Deno.test("a sound invoice gets no advice", async () => {
  assertEquals(adviseOn(parseXml(await soundInvoice()), { today: "2026-10-01" }), []);
});

/** Valid numbers that are grouped, in lower case, or belong to the taxable group of the party. */
const SOUND: readonly [string, string][] = [
  [">FR7630006000011234567890189", ">fr76 3000 6000 0112 3456 7890 189"],
  ["FR40438570830", "FR 40 438 570 830"],
  ["FR40438570830", "FR0A438570830"],
  ['schemeID="0225">435714324', 'schemeID="0225">435714324_SALES'],
  ['schemeID="0225">435714324', 'schemeID="0225">not-a-siren'],
];

for (const [from, to] of SOUND) {
  Deno.test(`${to} gets no advice`, async () => {
    const sound = await soundInvoice();
    assertEquals(sound.includes(from), true);
    assertEquals(adviseOn(parseXml(sound.replace(from, to))), []);
  });
}

Deno.test("a member of a single taxable person may give that person's VAT number", async () => {
  const sound = await soundInvoice();
  const member = sound.replace('schemeID="0224">R-1', 'schemeID="0231">552100554')
    .replace("FR40438570830", `FR${frenchVatKey("552100554")}552100554`);
  assertEquals(adviseOn(parseXml(member)), []);
});

Deno.test("an invoice date far from today is reported only if today is known", async () => {
  const document = parseXml(await soundInvoice());
  for (const today of ["2024-01-01", "2027-12-31"]) {
    assertEquals(
      adviseOn(document, { today }).map(({ rule, businessTerm }) => [rule, businessTerm]),
      [["ADV-DATE", "BT-2"]],
    );
  }
});

Deno.test("the SIRET of a line's delivery place is read where BR-FR-09 does not look", async () => {
  const text = await soundInvoice();
  const at = text.lastIndexOf('schemeID="0009">');
  const broken = text.slice(0, at) + text.slice(at).replace(/">[0-9]{14}/, '">43571432410009');
  assertEquals(adviseOn(parseXml(broken)).map(({ rule }) => rule), ["ADV-SIRET-LUHN"]);
});

Deno.test("advice never fails, whatever the document", () => {
  const odd = [
    "<a/>",
    "<ID schemeID='0002'/>",
    "<a><Note>#PMT#</Note><DueDate><x/></DueDate><AdditionalItemProperty/></a>",
  ];
  for (const text of odd) assertEquals(Array.isArray(adviseOn(parseXml(text))), true);
});

Deno.test("every kind of advice is shown by a case", () => {
  assertEquals(ADVISORY_IDS.filter((id) => !CASES.some(([rule]) => rule === id)), []);
});

Deno.test("every kind of advice is listed in the README of the rules", async () => {
  const readme = await Deno.readTextFile(new URL("../../xsl/rules/README.md", import.meta.url));
  assertEquals(ADVISORY_IDS.filter((id) => !readme.includes(`\`${id}\``)), []);
});

/** Returns the sample invoice with an account, which UBL puts before the mandate. */
async function soundInvoice(): Promise<string> {
  const text = await Deno.readTextFile(INVOICE);
  return text.replace(
    "<cac:PaymentMandate>",
    "<cac:PayeeFinancialAccount><cbc:ID>FR7630006000011234567890189</cbc:ID></cac:PayeeFinancialAccount><cac:PaymentMandate>",
  );
}
