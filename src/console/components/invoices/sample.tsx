import { Badge } from "@mantine/core";
import { defineWords, useWords } from "../../i18n/language.ts";

const WORDS = defineWords({
  en: { sample: "Sample", hint: "Invented invoice: it is never sent" },
  fr: { sample: "Exemple", hint: "Facture inventée : elle n'est jamais envoyée" },
});

/** Company code that only sample invoices have. */
const SAMPLE_COMPANY = "EXEMPLE";

/** Returns true for an invoice of the sample data, which has no ERP document. */
export function isSample({ kco }: { readonly kco: string }): boolean {
  return kco === SAMPLE_COMPANY;
}

/** Marks an invoice of the sample data; nothing for all others. */
export function SampleMark({ kco }: { kco: string }) {
  const words = useWords(WORDS);
  if (!isSample({ kco })) return null;
  return (
    <Badge component="span" size="xs" variant="light" color="grape" title={words.hint}>
      {words.sample}
    </Badge>
  );
}
