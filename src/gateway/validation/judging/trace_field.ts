import { TERM_PATHS } from "#src/domain/ubl/mod.ts";
import { findTermsAt, readElementPath } from "#src/domain/validation/element_terms.ts";
import type { Finding } from "#src/domain/validation/finding.ts";

/** Elements of a party, by their names in UBL and CII; terms use the UBL name in their path. */
const PARTIES: ReadonlyMap<string, string> = new Map([
  ["AccountingSupplierParty", "AccountingSupplierParty"],
  ["AccountingCustomerParty", "AccountingCustomerParty"],
  ["PayeeParty", "PayeeParty"],
  ["TaxRepresentativeParty", "TaxRepresentativeParty"],
  ["Delivery", "Delivery"],
  ["SellerTradeParty", "AccountingSupplierParty"],
  ["BuyerTradeParty", "AccountingCustomerParty"],
  ["PayeeTradeParty", "PayeeParty"],
  ["SellerTaxRepresentativeTradeParty", "TaxRepresentativeParty"],
  ["ShipToTradeParty", "Delivery"],
]);

/**
 * Adds the ERP element of a finding. Takes the term at the finding's location, or else a term below it that the rule
 * names. A document-level finding that names several parties gets no element, because any of them may be wrong.
 */
export function traceField(
  finding: Finding,
  fields: ReadonlyMap<string, string> | undefined,
): Finding {
  if (fields === undefined) return finding;
  const named = (finding.businessTerm ?? "").split(" ").filter((term) => fields.has(term));
  const path = readElementPath(finding.location);
  const at = findTermsAt(path).filter((term) => fields.has(term));
  const term = at.find((it) => named.includes(it)) ?? termBelow(path, named) ?? at[0] ??
    termElsewhere(path, named);
  const sourceField = term === undefined ? undefined : fields.get(term);
  return sourceField === undefined ? finding : { ...finding, sourceField };
}

function termBelow(path: string, named: readonly string[]): string | undefined {
  if (path === "") return undefined;
  return named.find((term) => TERM_PATHS.get(term)?.startsWith(`${path}/`));
}

/** The first of the named terms that no other party has. */
function termElsewhere(path: string, named: readonly string[]): string | undefined {
  const party = partyIn(path);
  const common = named.filter((term) => findParty(term) === undefined);
  if (party !== undefined) return named.find((term) => findParty(term) === party) ?? common[0];
  const parties = new Set(named.flatMap((term) => findParty(term) ?? []));
  return parties.size > 1 ? common[0] : named[0];
}

function partyIn(path: string): string | undefined {
  const name = path.split("/").find((it) => PARTIES.has(it));
  return name === undefined ? undefined : PARTIES.get(name);
}

function findParty(term: string): string | undefined {
  return partyIn(TERM_PATHS.get(term) ?? "");
}
