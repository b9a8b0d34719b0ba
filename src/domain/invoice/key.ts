/** The ERP's own identity of a document: number, type, company. */
export interface InvoiceKey {
  readonly doc: string;
  readonly dct: string;
  readonly kco: string;
}

export function formatInvoiceKey({ doc, dct, kco }: InvoiceKey): string {
  return `${doc}-${dct}-${kco}`;
}

/** Parses `<doc>-<dct>-<kco>` from the right: only the document number may contain hyphens. */
export function parseInvoiceKey(text: string): InvoiceKey | undefined {
  const [, doc, dct, kco] = /^(.{1,60})-([^-\s]{1,20})-([^-\s]{1,20})$/u.exec(text) ?? [];
  return doc && dct && kco ? { doc, dct, kco } : undefined;
}

/** Checks that a URL can name the invoice: parsing the formatted key returns the same key. */
export function isNameable(key: InvoiceKey): boolean {
  const named = parseInvoiceKey(formatInvoiceKey(key));
  return named?.doc === key.doc && named.dct === key.dct && named.kco === key.kco;
}
