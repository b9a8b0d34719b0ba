import { Alert, Anchor, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { Icon } from "../../components/icon.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { useWords } from "../../i18n/language.ts";

/** The color of links is hard to read on a warning. */
const OF_THE_NOTE = { component: Link, c: "inherit", underline: "always", size: "sm" } as const;

/**
 * Advice for an invoice that the rules rejected. It is corrected in the ERP: the console changes nothing, and
 * only a new file overwrites the recorded data.
 */
export function ToCorrect() {
  const words = useWords(INVOICE);
  const may = useMay();
  return (
    <Alert color="yellow" variant="light" icon={<Icon name="warning" />} className="ps-no-print">
      <Text size="sm">{words.toCorrect}</Text>
      <Group gap="md">
        <Anchor {...OF_THE_NOTE} href="?tab=findings">{words.seeFindings}</Anchor>
        {may("invoices:run") && may("files:write") && (
          <Anchor {...OF_THE_NOTE} href="/process">{words.processAgain}</Anchor>
        )}
      </Group>
    </Alert>
  );
}
