import { Alert, Anchor, Text } from "@mantine/core";
import { Link } from "wouter";
import { useRead } from "../../api/queries.ts";
import { defineWords, useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { toPlainReason } from "../plain_reason.ts";

const WORDS = defineWords({
  en: { faulty: "This invoice breaks a binding rule", toFindings: "See the findings" },
  fr: {
    faulty: "Cette facture enfreint une règle obligatoire",
    toFindings: "Voir les anomalies",
  },
});

/** Returns the first broken binding rule of an invoice, as a sentence; undefined without one. */
export function useFault(id: string, when = true): string | undefined {
  const { data } = useRead("/api/invoices/{id}/errors", { path: { id } }, { when });
  return data?.errors.find(({ level }) => level === "FATAL")?.message;
}

/** Warning before the answer to an invoice that breaks a binding rule. */
export function Fault({ id, message }: {
  /** Invoice whose findings the warning links to, from elsewhere than its page. */
  id?: string;
  message: string;
}) {
  const words = useWords(WORDS);
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<Icon name="warning" />}
      title={words.faulty}
      className="ps-no-print"
    >
      <Text size="sm" className="ps-wrap">{toPlainReason(message)}</Text>
      {id !== undefined && (
        <Anchor
          component={Link}
          href={`/received/${encodeURIComponent(id)}?tab=findings`}
          c="inherit"
          underline="always"
          size="sm"
        >
          {words.toFindings}
        </Anchor>
      )}
    </Alert>
  );
}
