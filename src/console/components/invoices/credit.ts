/** Credit note types (BT-3), as the API counts them. */
const CREDIT_NOTES: ReadonlySet<string> = new Set(
  ["81", "83", "261", "262", "296", "308", "381", "396", "420", "458", "502", "503", "532"],
);

/** Returns true for the type of a credit note. */
export function isCreditNote(type: string | null): boolean {
  return CREDIT_NOTES.has(type ?? "");
}

/** Returns true for a self-billed invoice, which the buyer issues: a received sale or an issued purchase. */
export function isSelfBilled({ direction, role }: { direction: string; role: string }): boolean {
  return (direction === "received") === (role === "seller");
}

/** Returns an amount with a minus for credit notes, whose amounts are positive as written. */
export function withSign(type: string | null, amount: number | null): number | null {
  return amount !== null && isCreditNote(type) ? -Math.abs(amount) : amount;
}
