import { Anchor, Box, Button, Stack, Table, Text, Title } from "@mantine/core";
import { download } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { useRead } from "../../api/queries.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Icon } from "../icon.tsx";
import { ProblemNote, problemText } from "../notes.tsx";
import { toast } from "../toasts.tsx";
import { DETAILS } from "./detail_words.ts";
import { INVOICE } from "./words.ts";

type InvoiceDetails = components["schemas"]["InvoiceDetails"];

/** Payment details and attachments of the invoice. */
export function Details({ id, currency }: { id: string; currency: string }) {
  const { data, error } = useRead("/api/invoices/{id}/details", { path: { id } });
  return (
    <>
      <ProblemNote problem={error} />
      {data && data.paymentTerms.length > 0 && (
        <Terms terms={data.paymentTerms} currency={currency} />
      )}
      {data && data.payments.length > 0 && <Payments payments={data.payments} />}
      {data && data.attachments.length > 0 && (
        <Attachments
          id={id}
          attachments={data.attachments}
        />
      )}
    </>
  );
}

function Terms({ terms, currency }: {
  terms: InvoiceDetails["paymentTerms"];
  currency: string;
}) {
  const words = useWords(DETAILS);
  const { dueDate, lineAmount } = useWords(INVOICE);
  const { amount, day, percent } = useFormats();
  return (
    <section aria-label={words.terms}>
      <Title order={2} size="h4" mb="xs">{words.terms}</Title>
      <Box className="ps-grid-box" maw={720}>
        <Table className="ps-grid" aria-label={words.terms}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{words.termNote}</Table.Th>
              <Table.Th>{dueDate}</Table.Th>
              <Table.Th data-align="right">{lineAmount}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {terms.map((it, index) => (
              <Table.Tr key={index}>
                <Table.Td data-label={words.termNote} className="ps-fills">
                  <Text size="sm" className="ps-wrap" style={{ whiteSpace: "pre-line" }}>
                    {it.note}
                  </Text>
                </Table.Td>
                <Table.Td data-label={dueDate}>{day(it.dueDate)}</Table.Td>
                <Table.Td data-label={lineAmount} data-align="right" className="ps-number">
                  {it.amount !== null
                    ? amount(it.amount, currency)
                    : it.percentage === null
                    ? ""
                    : percent(it.percentage)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
    </section>
  );
}

function Payments({ payments }: { payments: InvoiceDetails["payments"] }) {
  const words = useWords(DETAILS);
  return (
    <section aria-label={words.payment}>
      <Title order={2} size="h4" mb="xs">{words.payment}</Title>
      <Stack gap="xs">
        {payments.map((it, index) => (
          <Box key={index} className="ps-facts">
            {([
              [words.means, it.meansText || it.meansLabel || it.meansCode],
              [words.account, groupIban(it.account)],
              [words.bic, it.bic],
              [words.accountName, it.accountName],
              [words.remittance, it.remittance],
              [words.card, [it.card, it.cardHolder].filter((part) => part).join(", ")],
              [words.mandate, it.mandate],
              [words.debited, groupIban(it.debitedAccount)],
            ] as const).map(([name, value]) =>
              value && (
                <div key={name} className="ps-fact">
                  <Text span size="sm" c="dimmed">{name}</Text>
                  <Text span size="sm" className="ps-wrap">{value}</Text>
                </div>
              )
            )}
          </Box>
        ))}
      </Stack>
    </section>
  );
}

/** Returns an IBAN in groups of four, and any other account unchanged. */
function groupIban(account: string): string {
  return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(account)
    ? account.replace(/(.{4})(?=.)/g, "$1 ")
    : account;
}

function Attachments({ id, attachments }: {
  id: string;
  attachments: InvoiceDetails["attachments"];
}) {
  const words = useWords(DETAILS);
  const { bytes } = useFormats();
  const fetchOne = (position: number) =>
    download(`/api/invoices/${encodeURIComponent(id)}/attachments/${position}`)
      .catch((error) => toast(problemText(error), "failed"));
  return (
    <section aria-label={words.attachments}>
      <Title order={2} size="h4" mb="xs">{words.attachments}</Title>
      <Stack gap={4} align="flex-start">
        {attachments.map((it) => (
          <Box key={it.position}>
            {it.size === null ? <Text span size="sm">{it.id}</Text> : (
              <Button
                size="compact-sm"
                variant="default"
                className="ps-no-print"
                leftSection={<Icon name="download" size={14} />}
                onClick={() => void fetchOne(it.position)}
              >
                {it.fileName || it.id || words.attachment}
              </Button>
            )}{" "}
            <Text span size="xs" c="dimmed" className="ps-wrap">
              {[it.description, it.size === null ? "" : bytes(it.size)]
                .filter((part) => part !== "").join(" · ")}
            </Text>
            {isWeb(it.location) && (
              <>
                {" "}
                <Anchor href={it.location} target="_blank" rel="noreferrer noopener" size="sm">
                  {it.location}
                </Anchor>
              </>
            )}
          </Box>
        ))}
      </Stack>
    </section>
  );
}

/** Returns true for web addresses. The supplier writes them, so no other scheme becomes a link. */
function isWeb(location: string): boolean {
  return /^https?:\/\//i.test(location);
}
