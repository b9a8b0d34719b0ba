import { Box, Group, Stack, Table, Title } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { Coded } from "./coded.tsx";
import { ProblemNote } from "../notes.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import type { components } from "../../api/schema.d.ts";
import { LongText } from "../long_text.tsx";
import { withSign } from "./credit.ts";
import { DETAILS } from "./detail_words.ts";
import { Details } from "./details.tsx";
import { Lines } from "./lines.tsx";
import { Fact, Parties } from "./parties.tsx";
import { TREATMENT } from "./treatment.tsx";
import { INVOICE } from "./words.ts";

export type InvoiceView = components["schemas"]["InvoiceFields"];

/** Main facts of the invoice, suitable for printing. */
export function Overview({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const treatments = useWords(TREATMENT);
  const { moment, number } = useFormats();
  const { data } = useRead("/api/invoices/{id}/details", { path: { id } });
  const isIssued = invoice.direction === "issued";
  return (
    <Stack gap="lg">
      <Parties invoice={invoice} details={data} />
      <Lines id={id} />
      <Group align="flex-start" gap="lg">
        <Box flex={1} miw={300}>
          <Vat id={id} />
        </Box>
        <Totals invoice={invoice} />
      </Group>
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
        <Fact name={words.statusSince} value={moment(invoice.statusAt)} />
        <Fact name={words.generation} value={isIssued ? number(invoice.generation) : ""} />
        <Fact name={words.flow} value={invoice.paUuid} />
      </Box>
    </Stack>
  );
}

/** Totals as the foot of the document; those of a credit note are negative. */
function Totals({ invoice }: { invoice: InvoiceView }) {
  const words = useWords(INVOICE);
  const { amount } = useFormats();
  const money = (value: number | null) =>
    amount(withSign(invoice.invoiceType, value), invoice.currency);
  return (
    <Box component="section" aria-label={words.totals} ml="auto" miw={280} className="ps-number">
      <Fact name={words.totalHT} value={money(invoice.totalHT)} />
      <Fact name={words.totalVat} value={money(invoice.totalVat)} />
      <Fact name={words.totalTTC} value={money(invoice.totalTTC)}>
        <b>{money(invoice.totalTTC)}</b>
      </Fact>
      <Fact name={words.amountDue} value={money(invoice.amountDue)} />
    </Box>
  );
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
                <Table.Th>{words.exemption}</Table.Th>
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
                  <Table.Td data-label={words.exemption}>{it.taxExemption}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </section>
  );
}
