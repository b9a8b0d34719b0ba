import { z } from "zod";
import { readAs } from "./input.ts";

/** Reception address. Missing fields are derived from the SIREN. */
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

export interface DirectoryEntries {
  put(entry: DirectoryEntry): void;
  /**
   * `listed`: only registered entries exist. `everyone`: every SIREN with a valid check digit also has an active
   * address.
   */
  policy: "everyone" | "listed";
  lines(siren: string, siret?: string): readonly DirectoryEntry[];
  byAddress(address: string): DirectoryEntry | undefined;
  all(): readonly DirectoryEntry[];
}

/** Companies in every sandbox: connected, departed, and joining later. */
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

export function directoryEntries(
  policy: DirectoryEntries["policy"] = "everyone",
): DirectoryEntries {
  const entries = new Map(FIRST_ENTRIES.map((entry) => [entry.addressingIdentifier, entry]));
  const book: DirectoryEntries = {
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

const EntryBody = z.looseObject({
  siren: z.string().regex(/^\d{9}$/, "expected nine digits"),
  siret: z.string().optional(),
  routingIdentifier: z.string().optional(),
  addressingSuffix: z.string().optional(),
  addressingIdentifier: z.string().optional(),
  name: z.string().optional(),
  status: z.enum(["Enabled", "Disabled", "Upcoming"]).default("Enabled"),
  platformType: z.enum(["WK", "DFH"]).default("WK"),
});

/** Parses an entry of the admin API; returns a sentence if it is invalid. */
export function readEntry(body: unknown): DirectoryEntry | string {
  const given = readAs(EntryBody, body, "an entry");
  if (typeof given === "string") return given;
  const { siren, siret, routingIdentifier, addressingSuffix, status, platformType } = given;
  const { name = `Entreprise ${siren}`, addressingIdentifier: address } = given;
  return line(siren, {
    name,
    status,
    siret,
    routingIdentifier,
    addressingSuffix,
    platformType,
    ...(address === undefined ? {} : { addressingIdentifier: address }),
  });
}

/** Returns true for a SIREN (9 digits) or SIRET (14) with a valid check digit (Luhn). */
function hasCheckDigit(text: string, length: 9 | 14): boolean {
  if (text.length !== length || !/^\d+$/.test(text) || /^0+$/.test(text)) return false;
  const sum = [...text].reduceRight((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Parses `{op, value}`; every operator is treated as `strict`. */
const Filter = z.looseObject({ value: z.string().optional() }).transform(({ value }) => value)
  .optional();

/** Body of any search of the Directory Service; `limit` and `ignore` are clamped to the allowed range. */
const SearchBody = z.looseObject({
  filters: z.looseObject({
    siren: Filter,
    siret: Filter,
    routingIdentifier: Filter,
    addressingIdentifier: Filter,
    addressingSuffix: Filter,
  }).default({}),
  limit: z.number().default(50).transform((it) => Math.max(1, Math.min(it, 500))),
  ignore: z.number().default(0).transform((it) => Math.max(0, it)),
});
type DirectorySearch = z.infer<typeof SearchBody>;

/** Parses the search; returns a sentence if the body is invalid. */
export function readDirectorySearch(body: unknown): DirectorySearch | string {
  return readAs(SearchBody, body, "a search");
}

export function findLines(
  book: DirectoryEntries,
  filters: DirectorySearch["filters"],
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
