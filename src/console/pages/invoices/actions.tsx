import { Button, Group, Menu, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { useOnce } from "../../api/use_once.ts";
import { Icon } from "../../components/icon.tsx";
import type { InvoiceFields } from "../../components/invoices/overview.tsx";
import { type Allowed, TellDialog, TOUCHED } from "../../components/invoices/tell.tsx";
import { INVOICE } from "../../components/invoices/words.ts";
import { ProblemNote, problemText } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useLanguage, useWords } from "../../i18n/language.ts";

/** Statuses that wait for us: what failed, was refused, disputed or suspended. */
const AWAITED = ["9904", "9907", "207", "208", "210", "213", "221"];

/** What can be done with the invoice now by this reader; nothing where there is nothing. */
export function Actions({ invoice, id }: { invoice: InvoiceFields; id: string }) {
  const words = useWords(INVOICE);
  const language = useLanguage();
  const may = useMay();
  const [telling, setTelling] = useState<Allowed>();
  const [isSending, setSending] = useState(false);
  const { data } = useRead("/api/invoices/{id}/actions", { path: { id } });
  const statuses = may("invoices:status") ? data?.statuses ?? [] : [];
  const maySend = may("invoices:run") && data?.resend === true;
  const close = () => setSending(false);
  const once = useOnce();
  if (statuses.length === 0 && !maySend) return null;
  const nameOf = (it: Allowed) => language === "en" ? it.labelEn : it.label;
  return (
    <>
      <Menu position="bottom-end" width={260}>
        <Menu.Target>
          <Button variant={AWAITED.includes(invoice.status) ? "filled" : "default"}>
            {words.actions}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {statuses.map((it) => (
            <Menu.Item key={it.code} onClick={() => setTelling(it)}>{nameOf(it)}</Menu.Item>
          ))}
          {statuses.length > 0 && maySend && <Menu.Divider />}
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
      <TellDialog
        status={telling}
        invoice={invoice}
        id={id}
        onClose={() => setTelling(undefined)}
      />
      <Dialog
        opened={isSending}
        onClose={close}
        title={words.sendAgain}
      >
        {isSending && <SendAgain id={id} once={once} onDone={close} />}
      </Dialog>
    </>
  );
}

function SendAgain({ id, once, onDone }: {
  id: string;
  once: ReturnType<typeof useOnce>;
  onDone: () => void;
}) {
  const words = useWords(INVOICE);
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = true;
    return () => void (isSeen.current = false);
  }, []);
  const send = useChange(
    (key: string) =>
      api.POST("/api/invoices/{id}/resend", {
        params: { path: { id }, header: { "Idempotency-Key": key } },
      }),
    TOUCHED,
  );
  const go = () =>
    void once("resend", send.mutateAsync).then(() => isSeen.current && onDone(), (problem) => {
      if (!isSeen.current) toast(problemText(problem), "failed");
    });
  return (
    <Stack>
      <Text size="sm">{words.sendAgainText}</Text>
      <ProblemNote problem={send.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>{words.cancel}</Button>
        <Button
          loading={send.isPending}
          onClick={go}
        >
          {words.sendAgain}
        </Button>
      </Group>
    </Stack>
  );
}
