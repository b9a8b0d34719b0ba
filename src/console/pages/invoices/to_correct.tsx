import { Alert, Anchor, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { Icon } from "../../components/icon.tsx";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { Replace } from "../../components/invoices/replace.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { formatNamed, useWords } from "../../i18n/language.ts";

/** The color of links is hard to read on a warning. */
const OF_THE_NOTE = { component: Link, c: "inherit", underline: "always", size: "sm" } as const;

/**
 * Advice for an invoice that the rules rejected. It is corrected in the ERP: the console changes nothing, and
 * only a new file overwrites the recorded data.
 */
export function ToCorrect({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const may = useMay();
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} className="ps-no-print">
      {invoice.statusReason && (
        <Text size="sm">{formatNamed(words.reason, invoice.statusReason)}</Text>
      )}
      <Text size="sm">{words.toCorrect}</Text>
      <Group gap="md" mt={4}>
        <Replace invoice={invoice} id={id} isMain />
        <Anchor {...OF_THE_NOTE} href="?tab=findings">{words.seeFindings}</Anchor>
        {may("invoices:run") && may("files:write") && (
          <Anchor {...OF_THE_NOTE} href="/process">{words.processAgain}</Anchor>
        )}
      </Group>
    </Alert>
  );
}
