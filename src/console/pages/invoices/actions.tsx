import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { isOffered, useVerbs } from "../../components/invoices/status_verbs.ts";
import { isDuplicate, useNextStep } from "../../components/invoices/row_actions.tsx";
import { useBlocked } from "../../components/invoices/blocked.ts";
import { isCreditNote } from "../../components/invoices/credit.ts";
import type { InvoiceView } from "../../components/invoices/overview.tsx";
import { SendAgainDialog } from "../../components/invoices/send_again.tsx";
import { type Allowed, TellDialog } from "../../components/invoices/tell.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { useLanguage, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";

/** Actions that this reader can take on the invoice now, if any. The page's note highlights the next step. */
export function Actions({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const verbOf = useVerbs();
  const may = useMay();
  const [telling, setTelling] = useState<Allowed>();
  const [isSending, setSending] = useState(false);
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  const possible = [...data?.statuses ?? [], ...data?.collectedByHand ? [BY_HAND] : []];
  const statuses = may("invoices:status")
    ? possible.filter((it) => isOffered(it.paName, invoice))
    : [];
  const payment = isCreditNote(invoice.invoiceType) || !invoice.openAmount
    ? undefined
    : statuses.find(({ paName }) => paName === "PAYMENT_RECEIVED");
  // The payment has its own button.
  const listed = statuses.filter((it) => it !== payment);
  const isStopped = useNextStep()(invoice) !== undefined || invoice.attention.length > 0;
  // A blocked submission is checked first: nobody knows whether the platform has the invoice.
  const isBlocked = useBlocked(id) !== undefined;
  const maySend = may("invoices:run") && data?.resend === true && !isBlocked &&
    invoice.status !== REFUSED;
  const getName = (it: Allowed) =>
    verbOf(it.paName, invoice)?.button ?? (language === "en" ? it.labelEn : it.label);
  useOffered([
    ...[...payment ? [payment] : [], ...listed].map((it) => ({
      label: getName(it),
      run: () => setTelling(it),
    })),
    ...maySend ? [{ label: words.sendAgain, run: () => setSending(true) }] : [],
  ]);
  if (statuses.length === 0 && !maySend) return null;
  return (
    <>
      {payment && (
        <Button
          variant={isStopped ? "default" : "filled"}
          className="ps-main-action"
          onClick={() => setTelling(payment)}
        >
          {getName(payment)}
        </Button>
      )}
      {(listed.length > 0 || maySend) && (
        <Menu position="bottom-end" width={260}>
          <Menu.Target>
            <Button variant="default">{words.actions}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {listed.map((it) => (
              <Menu.Item key={it.code} onClick={() => setTelling(it)}>{getName(it)}</Menu.Item>
            ))}
            {listed.length > 0 && maySend && <Menu.Divider />}
            {maySend && (
              <Menu.Item
                leftSection={<Icon name="send" size={16} />}
                onClick={() => setSending(true)}
              >
                {words.sendAgain}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <TellDialog
        status={telling}
        invoice={invoice}
        id={id}
        notSent={telling === BY_HAND ? data?.withheld : undefined}
        onClose={() => setTelling(undefined)}
      />
      <SendAgainDialog
        id={id}
        opened={isSending}
        onClose={() => setSending(false)}
        isCopy={isDuplicate(invoice)}
      />
    </>
  );
}

/** Payment that the platform does not take. */
const BY_HAND: Allowed = {
  code: "212",
  label: "Encaissée",
  labelEn: "Payment received",
  paName: "PAYMENT_RECEIVED",
  needs: ["amounts"],
  reasons: [],
};

/** Refused by the buyer: another invoice follows, which is not this one again. */
const REFUSED = "210";
