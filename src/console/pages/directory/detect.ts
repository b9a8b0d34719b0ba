import type { components } from "../../api/schema.d.ts";

type Subject = components["schemas"]["DirectorySubject"];

/** Meaning of a search text; `wrong` names the word of the mistake. */
export type Detected =
  | { readonly subject: Subject }
  | { readonly name: string }
  | { readonly wrong: "wrongLength" | "wrongVat" };

/**
 * Detects the kind of a search text. Nine digits are a SIREN, fourteen a SIRET, `FR` with a key and a SIREN a VAT
 * number. Four digits and a colon, or a SIREN and an underscore, begin an electronic address. Other text is a name.
 */
export function detectSubject(text: string): Detected {
  // Copied text may contain spaces of all widths and invisible characters.
  const plain = text.replace(/[\s\p{Cf}]/gu, "");
  if (/^\d+$/.test(plain)) return detectNumber(plain);
  const [, key, siren] = /^FR([0-9A-Z]{2})(\d{9})$/i.exec(plain) ?? [];
  if (key !== undefined && siren !== undefined) {
    return isVatKey(key, siren) ? { subject: { siren } } : { wrong: "wrongVat" };
  }
  if (/^\d{4}:./.test(plain)) return { subject: { identifier: plain } };
  if (/^\d{9}_./.test(plain)) return { subject: { identifier: `0225:${plain}` } };
  return { name: text.trim() };
}

function detectNumber(plain: string): Detected {
  if (plain.length === 9) return { subject: { siren: plain } };
  return plain.length === 14 ? { subject: { siret: plain } } : { wrong: "wrongLength" };
}

/** Validates the key of a VAT number (CGI, annex II art. 242 nonies). Keys with a letter are not computed. */
function isVatKey(key: string, siren: string): boolean {
  if (!/^\d+$/.test(key)) return true;
  return Number(key) === (12 + 3 * (Number(siren) % 97)) % 97;
}
