import { transformError } from "#src/ports/xslt.ts";
import type { Produced } from "./read_document.ts";

/**
 * Placeholder that a stylesheet writes for the issue date of an earlier invoice: `<?passerelle-issue-date
 * of="RI-100000"?>`.
 */
const WANTED = /<\?passerelle-issue-date\s+of="([^"]*)"\s*\?>/g;
/** Characters at the start of a UBL document that hold its number and its date. */
const HEAD = 4096;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&quot;": '"',
  "&gt;": ">",
  "&lt;": "<",
  "&apos;": "'",
};

/** Lists the numbers of the earlier invoices whose issue dates a document lacks. */
export function originalsWithoutDate({ ubl }: Pick<Produced, "ubl">): string[] {
  return [...new Set(Array.from(ubl.matchAll(WANTED), (it) => plain(it[1] ?? "")))];
}

/** Writes the issue dates of earlier invoices. Throws the refusal of a transform for an invoice without a known date. */
export function withIssueDates(produced: Produced, dates: ReadonlyMap<string, string>): Produced {
  const ubl = produced.ubl.replace(WANTED, (_, of: string) => {
    const number = plain(of);
    return dates.get(number) ?? refuseUnknown(produced, number);
  });
  return { ...produced, ubl };
}

function refuseUnknown({ sourceFields }: Produced, number: string): never {
  const element = sourceFields?.get("BT-25")?.split("/").at(-1);
  const dateField = sourceFields?.get("BT-26")?.split("/").at(-1);
  const fr = dateField === undefined ? "" : `, ou indiquez ${dateField} dans l'ERP`;
  const en = dateField === undefined ? "" : `, or give ${dateField} in the ERP`;
  throw transformError(
    {
      kind: "stopped",
      stylesheet: "",
      file: "",
      line: 0,
      errorCode: "",
      ...element !== undefined && { element, value: number },
      messageFr:
        `La facture d'origine ${number} est inconnue, sa date (BT-26) manque : traitez d'abord ${number}${fr}`,
    },
    `The original invoice ${number} is unknown and its date (BT-26) is missing: process ${number} first${en}`,
  );
}

/** Returns the number (BT-1) and the issue date (BT-2) of a UBL document; undefined when either is missing. */
export function readNumberAndDate(ubl: string): { number: string; date: string } | undefined {
  const head = ubl.slice(0, HEAD);
  const number = /<(?:[\w.-]+:)?ID(?:\s[^<>]*)?>([^<]*)</.exec(head)?.[1];
  const date = /<(?:[\w.-]+:)?IssueDate>\s*(\d{4}-\d{2}-\d{2})\s*</.exec(head)?.[1];
  return number === undefined || date === undefined
    ? undefined
    : { number: plain(number).trim(), date };
}

function plain(text: string): string {
  return text.replace(/&(?:amp|quot|gt|lt|apos);/g, (it) => ENTITIES[it] ?? it);
}
