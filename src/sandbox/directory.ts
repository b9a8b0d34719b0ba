import { type JsonObject, numberOf, objectOf, textOf } from "./input.ts";

/** One reception address. Whatever is not given is derived from the SIREN. */
export interface DirectoryEntry {
  readonly addressingIdentifier: string;
  readonly siren: string;
  readonly siret?: string | undefined;
  readonly routingIdentifier?: string | undefined;
  readonly addressingSuffix?: string | undefined;
  readonly status: "Enabled" | "Disabled" | "Upcoming";
  readonly platformType: "WK" | "DFH";
  readonly name: string;
}

export interface DirectoryBook {
  put(entry: DirectoryEntry): void;
  /** `listed`: only what was put; `everyone`: besides, each SIREN with a right check digit has an enabled address. */
  policy: "everyone" | "listed";
  lines(siren: string, siret?: string): readonly DirectoryEntry[];
  byAddress(address: string): DirectoryEntry | undefined;
  all(): readonly DirectoryEntry[];
}

/** Companies every sandbox knows: one connected, one that left, one to come. */
const FIRST_ENTRIES: readonly DirectoryEntry[] = [
  line("702042755", { name: "Boulangerie Pascale", siret: "70204275500240" }),
  line("702042755", { name: "Boulangerie Pascale" }),
  line("702042755", {
    name: "Boulangerie Pascale",
    siret: "70204275500240",
    routingIdentifier: "COMPTA",
  }),
  line("100000009", { name: "Ancien Client SA", status: "Disabled" }),
  line("200000008", { name: "Futur Client SAS", status: "Upcoming" }),
];

export function directoryBook(policy: DirectoryBook["policy"] = "everyone"): DirectoryBook {
  const entries = new Map(FIRST_ENTRIES.map((entry) => [entry.addressingIdentifier, entry]));
  const book: DirectoryBook = {
    policy,
    put: (entry) => void entries.set(entry.addressingIdentifier, entry),
    all: () => [...entries.values()],
    lines(siren, siret) {
      const own = [...entries.values()].filter((entry) => entry.siren === siren);
      if (own.length > 0 || book.policy === "listed" || !hasCheckDigit(siren, 9)) return own;
      const company = line(siren, { name: `Entreprise ${siren}` });
      return hasCheckDigit(siret ?? "", 14)
        ? [company, line(siren, { name: company.name, siret })]
        : [company];
    },
    byAddress(address) {
      const siren = address.slice(0, 9);
      return entries.get(address) ??
        book.lines(siren, address.split("_")[1]).find((entry) =>
          entry.addressingIdentifier === address
        );
    },
  };
  return book;
}

function line(
  siren: string,
  rest: Partial<DirectoryEntry> & { readonly name: string },
): DirectoryEntry {
  const { siret, routingIdentifier, addressingSuffix } = rest;
  const parts = [siren, siret, routingIdentifier ?? addressingSuffix];
  return {
    siren,
    status: "Enabled",
    platformType: "WK",
    addressingIdentifier: parts.filter((part) => part !== undefined).join("_"),
    ...rest,
  };
}

/** An entry put through the admin API; a sentence when it makes no sense. */
export function readEntry(body: JsonObject): DirectoryEntry | string {
  const siren = textOf(body["siren"]) ?? "";
  if (!/^\d{9}$/.test(siren)) return `siren ${siren} is not nine digits`;
  const status = textOf(body["status"]) ?? "Enabled";
  if (status !== "Enabled" && status !== "Disabled" && status !== "Upcoming") {
    return `status ${status} is not Enabled, Disabled or Upcoming`;
  }
  const address = textOf(body["addressingIdentifier"]);
  return line(siren, {
    name: textOf(body["name"]) ?? `Entreprise ${siren}`,
    status,
    siret: textOf(body["siret"]),
    routingIdentifier: textOf(body["routingIdentifier"]),
    addressingSuffix: textOf(body["addressingSuffix"]),
    platformType: body["platformType"] === "DFH" ? "DFH" : "WK",
    ...(address === undefined ? {} : { addressingIdentifier: address }),
  });
}

/** A SIREN (9) or SIRET (14) whose last digit is right (Luhn). */
function hasCheckDigit(text: string, length: 9 | 14): boolean {
  if (text.length !== length || !/^\d+$/.test(text) || /^0+$/.test(text)) return false;
  const sum = [...text].reduceRight((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export interface DirectoryFilters {
  readonly siren: string | undefined;
  readonly siret: string | undefined;
  readonly routingIdentifier: string | undefined;
  readonly addressingIdentifier: string | undefined;
  readonly addressingSuffix: string | undefined;
  readonly limit: number;
  readonly ignore: number;
}

/** The filters of a search body: `{filters: {field: {op, value}}, limit, ignore}`; operators but `strict` are read as such. */
export function readFilters(body: JsonObject): DirectoryFilters {
  const filters = objectOf(body["filters"]) ?? {};
  const value = (name: string) => textOf(objectOf(filters[name])?.["value"]);
  return {
    siren: value("siren"),
    siret: value("siret"),
    routingIdentifier: value("routingIdentifier"),
    addressingIdentifier: value("addressingIdentifier"),
    addressingSuffix: value("addressingSuffix"),
    limit: Math.max(1, Math.min(numberOf(body["limit"]) ?? 50, 500)),
    ignore: Math.max(0, numberOf(body["ignore"]) ?? 0),
  };
}

export function findLines(
  book: DirectoryBook,
  filters: DirectoryFilters,
): readonly DirectoryEntry[] {
  const siren = filters.siren ?? filters.siret?.slice(0, 9) ??
    filters.addressingIdentifier?.slice(0, 9);
  const lines = siren === undefined ? book.all() : book.lines(siren, filters.siret);
  const wanted = [
    ["siret", filters.siret],
    ["routingIdentifier", filters.routingIdentifier],
    ["addressingIdentifier", filters.addressingIdentifier],
    ["addressingSuffix", filters.addressingSuffix],
  ] as const;
  return lines.filter((entry) =>
    wanted.every(([field, value]) => value === undefined || entry[field] === value)
  );
}
