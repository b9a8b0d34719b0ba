import { Box, Group, Stack, Table, Text, Title } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { Coded } from "./coded.tsx";
import { Empty, ProblemNote } from "../notes.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import type { components } from "../../api/schema.d.ts";
import { LongText } from "../long_text.tsx";
import { isCreditNote } from "./credit.ts";
import { DETAILS } from "./detail_words.ts";
import { Details } from "./details.tsx";
import { Lines } from "./lines.tsx";
import { Fact, Parties } from "./parties.tsx";
import { TREATMENT } from "./treatment.tsx";
import { isDayOnly, useLeft } from "./paid.ts";
import { INVOICE } from "./words.ts";

export type InvoiceView = components["schemas"]["InvoiceFields"];

/** Returns false for a document of the ERP that became no invoice, because it could not be read or transformed. */
export function hasContent({ ublNumber, totalTTC }: InvoiceView): boolean {
  return ublNumber !== "" || totalTTC !== null;
}

/** Main facts of the invoice, suitable for printing. */
export function Overview({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const treatments = useWords(TREATMENT);
  const { day, moment, number } = useFormats();
  const isDay = invoice.settledAmount !== null && isDayOnly(invoice.statusAt);
  const { data } = useRead("/api/invoices/{id}/details", { path: { id } });
  const isIssued = invoice.direction === "issued";
  return (
    <Stack gap="lg">
      {hasContent(invoice)
        ? (
          <>
            <Parties invoice={invoice} details={data} />
            <Lines id={id} />
            <Group align="flex-start" gap="lg">
              <Box flex={1} miw={300}>
                <Vat id={id} />
              </Box>
              <Totals invoice={invoice} />
            </Group>
          </>
        )
        : <Empty icon="invoices" title={words.noInvoice} hint={words.noInvoiceHint} />}
      <Details id={id} currency={invoice.currency} />
      <Notes notes={data?.notes ?? []} />
      <Box className="ps-facts ps-no-print">
        <Fact name={words.company} value={invoice.kco} />
        <Fact
          name={words.reference}
          value={invoice.supplierRef === invoice.supplierSiren ? "" : invoice.supplierRef}
        />
        <Fact name={words.process} value={invoice.processType}>
          <Coded of="business-processes" code={invoice.processType} />
        </Fact>
        <Fact
          name={treatments.treatment}
          value={invoice.treatment && treatments.names[invoice.treatment]}
        />
        <Fact
          name={treatments.reports}
          value={invoice.treatmentDetails?.reports.join(", ")}
        />
        <Fact name={words.template} value={invoice.template} />
        <Fact name={words.job} value={invoice.jobNumber} />
        <Fact
          name={words.statusSince}
          value={isDay ? day(invoice.statusAt) : moment(invoice.statusAt)}
        />
        <Fact
          name={words.generation}
          value={isIssued && invoice.generation > 0 ? number(invoice.generation) : ""}
        />
        <Fact name={words.flow} value={invoice.paUuid} />
      </Box>
    </Stack>
  );
}

/** Totals as the foot of the document. Those of a credit note are positive, like its lines. */
function Totals({ invoice }: { invoice: InvoiceView }) {
  const words = useWords(INVOICE);
  const { amount } = useFormats();
  const { settledAmount } = invoice;
  const left = useLeft(invoice);
  const isCredit = isCreditNote(invoice.invoiceType);
  const isSale = invoice.role === "seller";
  const isChecked = invoice.status === REJECTED || invoice.direction === "received";
  const isWrong = isChecked && isSumWrong(invoice);
  const money = (value: number | null) => amount(value, invoice.currency);
  const due = isCredit ? words.toRefund : isSale ? words.amountDue : words.toPay;
  return (
    <Box component="section" aria-label={words.totals} ml="auto" miw={280} className="ps-number">
      <Fact name={words.totalHT} value={money(invoice.totalHT)} />
      <Fact name={words.totalVat} value={money(invoice.totalVat)} />
      <Fact name={words.totalTTC} value={money(invoice.totalTTC)}>
        <Text span inherit fw={700} {...isWrong && { c: "var(--ps-error)" }}>
          {money(invoice.totalTTC)}
        </Text>
      </Fact>
      {settledAmount
        ? (
          <>
            <Fact
              name={isCredit ? words.refunded : isSale ? words.collected : words.paidBefore}
              value={money(isCredit ? Math.abs(settledAmount) : settledAmount)}
            />
            <Fact name={left.name} value={money(left.value)} />
          </>
        )
        : <Fact name={due} value={money(invoice.amountDue)} />}
    </Box>
  );
}

/** Rejected by the rules before submission. */
const REJECTED = "9907";

/** Returns true if the total with VAT is not the total without VAT plus the VAT. */
function isSumWrong({ totalHT, totalVat, totalTTC }: InvoiceView): boolean {
  if (totalHT === null || totalVat === null || totalTTC === null) return false;
  return Math.round((totalHT + totalVat - totalTTC) * 100) !== 0;
}

function Notes({ notes }: { notes: components["schemas"]["InvoiceDetails"]["notes"] }) {
  const words = useWords(DETAILS);
  if (notes.length === 0) return null;
  return (
    <section aria-label={words.notes}>
      <Title order={2} size="h4" mb="xs">{words.notes}</Title>
      <Stack gap={4} maw={720}>
        {notes.map(({ subject, text }, at) => (
          <div key={at} title={subject}>
            <LongText text={text} />
          </div>
        ))}
      </Stack>
    </section>
  );
}

function Vat({ id }: { id: string }) {
  const words = useWords(INVOICE);
  const { amount, percent } = useFormats();
  const { data, error } = useRead("/api/invoices/{id}/vat", { path: { id } });
  const isExempt = data?.vat.some((it) => it.taxExemption) ?? false;
  return (
    <section aria-label={words.vat}>
      <Title order={2} size="h4" mb="xs">{words.vat}</Title>
      <ProblemNote problem={error} />
      {data && (
        <Box className="ps-grid-box" maw={720}>
          <Table className="ps-grid" aria-label={words.vat}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.rate}</Table.Th>
                <Table.Th data-align="right">{words.base}</Table.Th>
                <Table.Th data-align="right">{words.tax}</Table.Th>
                {isExempt && <Table.Th>{words.exemption}</Table.Th>}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.vat.map((it) => (
                <Table.Tr key={it.sequence}>
                  <Table.Td data-label={words.rate}>
                    <span>
                      <Coded of="vat-categories" code={it.taxCategory} />{" "}
                      {it.taxRate === null ? "" : percent(it.taxRate)}
                    </span>
                  </Table.Td>
                  <Table.Td data-label={words.base} data-align="right">
                    {amount(it.taxableAmount, it.currency)}
                  </Table.Td>
                  <Table.Td data-label={words.tax} data-align="right">
                    {amount(it.taxAmount, it.currency)}
                  </Table.Td>
                  {isExempt && <Table.Td data-label={words.exemption}>{it.taxExemption}</Table.Td>}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </section>
  );
}
