import { Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { type Allowed, TellDialog } from "../../components/invoices/tell.tsx";
import { UNANSWERED } from "../../components/invoices/unanswered.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";
import { RECEIVED } from "./words.ts";

/** Answers that the buyer can give to the invoice now, if the reader may give any. */
export function Answers({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(RECEIVED);
  const language = useLanguage();
  const mayTell = useMay()("invoices:status");
  const [telling, setTelling] = useState<Allowed>();
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } }, { when: mayTell });
  const statuses = mayTell ? data?.statuses ?? [] : [];
  const verbs: Readonly<Record<string, string>> = words.verbs;
  const getVerb = (it: Allowed) => verbs[it.paName] ?? (language === "en" ? it.labelEn : it.label);
  useOffered(statuses.map((it) => ({ label: getVerb(it), run: () => setTelling(it) })));
  if (statuses.length === 0) return null;
  // An answered or paid invoice accepts further statuses, but none is expected.
  const isAwaited = UNANSWERED.includes(invoice.status);
  return (
    <Paper
      withBorder
      p="sm"
      className="ps-no-print"
      role="group"
      aria-label={words.answer}
    >
      <Text size="sm" fw={600} mb="xs">{words.answer}</Text>
      <Group gap="xs">
        {statuses.map((it) => (
          <Button
            key={it.code}
            size="sm"
            variant={isAwaited && it.paName === "APPROVED" ? "filled" : "default"}
            onClick={() => setTelling(it)}
          >
            {getVerb(it)}
          </Button>
        ))}
      </Group>
      <TellDialog
        status={telling}
        invoice={invoice}
        id={id}
        onClose={() => setTelling(undefined)}
      />
    </Paper>
  );
}
