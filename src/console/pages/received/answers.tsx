import { Button, Group, Menu, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { isCreditNote } from "../../components/invoices/credit.ts";
import { getLeftOfPart } from "../../components/invoices/due.ts";
import { Fault, useFault } from "../../components/invoices/fault.tsx";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { type Allowed, TellDialog } from "../../components/invoices/tell.tsx";
import { useNextStep } from "../../components/invoices/row_actions.tsx";
import { UNANSWERED } from "../../components/invoices/unanswered.ts";
import { isOffered, useVerbs } from "../../components/invoices/status_verbs.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";
import { RECEIVED } from "./words.ts";

/** Shows the statuses that the reader can send now. A self-billed invoice is our own sale, which has no supplier to answer. */
export function Answers({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(RECEIVED);
  const language = useLanguage();
  const mayTell = useMay()("invoices:status");
  const [telling, setTelling] = useState<Allowed>();
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } }, { when: mayTell });
  const statuses = mayTell
    ? (data?.statuses ?? []).filter((it) => isOffered(it.paName, invoice))
    : [];
  const isSale = invoice.role === "seller";
  const isStopped = useNextStep()(invoice) !== undefined;
  const fault = useFault(id);
  const verbOf = useVerbs();
  const getVerb = (it: Allowed) =>
    verbOf(it.paName, invoice)?.button ?? (language === "en" ? it.labelEn : it.label);
  const { first, further } = arrange(statuses, invoice);
  useOffered(
    [...first, ...further].map((it) => ({ label: getVerb(it), run: () => setTelling(it) })),
  );
  if (statuses.length === 0) return null;
  const isUnanswered = !isSale && UNANSWERED.includes(invoice.status);
  const isExpected = isSale
    ? !isStopped
    : (isUnanswered || TO_PAY.includes(invoice.status)) && !fault;
  const title = isSale ? words.asSeller : words.answer;
  return (
    <Stack gap="md">
      {isUnanswered && fault && <Fault id={id} message={fault} />}
      <Paper
        withBorder
        p="sm"
        className="ps-no-print"
        role="group"
        aria-label={title}
      >
        <Text size="sm" fw={600} mb="xs">{title}</Text>
        <Group gap="xs">
          {first.map((it, at) => (
            <Button
              key={it.code}
              size="sm"
              {...it.paName === "REFUSED"
                ? {
                  variant: "default",
                  c: "var(--ps-error)",
                  style: { borderColor: "var(--ps-error)" },
                }
                : { variant: at === 0 && isExpected ? "filled" : "default" }}
              onClick={() => setTelling(it)}
            >
              {getVerb(it)}
            </Button>
          ))}
          {further.length > 0 && (
            <Menu position="bottom-start" width={220}>
              <Menu.Target>
                <Button size="sm" variant="default">
                  {isSale ? words.moreAsSeller : words.more}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {further.map((it) => (
                  <Menu.Item key={it.code} onClick={() => setTelling(it)}>{getVerb(it)}</Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          )}
        </Group>
        <TellDialog
          status={telling}
          invoice={invoice}
          id={id}
          onClose={() => setTelling(undefined)}
        />
      </Paper>
    </Stack>
  );
}

/** Answers shown as buttons while the supplier waits, and after an approval. */
const USUAL = ["APPROVED", "DISPUTED", "REFUSED"];
const AFTER_APPROVAL = ["PAYMENT_SENT"];
/** Status shown as a button for our own sale that the buyer invoices. */
const OF_SALE = ["PAYMENT_RECEIVED"];
/** Approved, approved in part. */
const TO_PAY: readonly string[] = ["205", "206"];
/** Statuses after which the invoice is not approved once more: also paid and collected. */
const APPROVED: readonly string[] = [...TO_PAY, "211", "212"];

/** Divides the possible answers into the usual ones, the first of them expected, and the others. */
function arrange(statuses: readonly Allowed[], invoice: InvoiceView) {
  const { role, status, invoiceType, openAmount } = invoice;
  const isSale = role === "seller";
  const isApproved = !isSale && APPROVED.includes(status);
  const isCollectable = openAmount !== 0 && !isCreditNote(invoiceType);
  const isPaid = ["211", "212"].includes(status) && getLeftOfPart(invoice) === 0;
  const afterApproval = isPaid ? [] : AFTER_APPROVAL;
  const usual = isSale ? isCollectable ? OF_SALE : [] : isApproved ? afterApproval : USUAL;
  const offered = statuses.filter(({ paName }) => !isApproved || paName !== "APPROVED");
  return {
    first: usual.flatMap((name) => offered.find(({ paName }) => paName === name) ?? []),
    further: offered.filter(({ paName }) => !usual.includes(paName)),
  };
}
