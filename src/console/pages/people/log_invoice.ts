/** Key of an invoice in addresses: number, type and company. */
const KEY = /^.{1,60}(?:-[^\s-]{1,20}){2}$/;
const PARTS = ["doc", "dct", "kco"] as const;

/** Returns the key of the invoice that an entry of the log names, as one field or as three. */
export function getInvoice(fields: unknown): string | undefined {
  if (typeof fields !== "object" || fields === null) return undefined;
  const named: Readonly<Record<string, unknown>> = { ...fields };
  const { invoice } = named;
  const key = typeof invoice === "string" ? invoice : PARTS.map((it) => named[it]).join("-");
  return KEY.test(key) ? key : undefined;
}
