import { Box, Paper, SimpleGrid, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useRead } from "../../api/queries.ts";
import { Coded } from "./coded.tsx";
import { ProblemNote } from "../notes.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import type { components } from "../../api/schema.d.ts";
import { Details } from "./details.tsx";
import { Lines } from "./lines.tsx";
import { TREATMENT } from "./treatment.tsx";
import { INVOICE } from "./words.ts";

export type InvoiceView = components["schemas"]["InvoiceFields"];

/** Main facts of the invoice, suitable for printing. */
export function Overview({ invoice, id }: { invoice: InvoiceView; id: string }) {
  const words = useWords(INVOICE);
  const treatments = useWords(TREATMENT);
  const { amount, day, moment, number } = useFormats();
  const isIssued = invoice.direction === "issued";
  const money = (value: number | null) => amount(value, invoice.currency);
  return (
    <Stack gap="lg">
      <SimpleGrid type="container" cols={{ base: 1, "400px": 2, "900px": 4 }} spacing="md">
        <Card title={words.seller} strong={invoice.supplierName}>
          <Fact name="SIREN" value={invoice.supplierSiren} />
          <Fact
            name={words.reference}
            value={invoice.supplierRef === invoice.supplierSiren ? "" : invoice.supplierRef}
          />
        </Card>
        <Card title={words.buyer} strong={invoice.customerName}>
          <Fact name={words.reference} value={invoice.customerRef} />
        </Card>
        <Card title={words.issueDate} strong={day(invoice.issueDate)}>
          <Fact name={words.kind} value={invoice.invoiceType}>
            <Coded of="document-types" code={invoice.invoiceType} />
          </Fact>
          <Fact name={words.dueDate} value={day(invoice.dueDate)} />
          <Fact name={words.order} value={invoice.orderRef} />
          <Fact name={words.contract} value={invoice.contractRef} />
        </Card>
        <Card title={words.totalTTC} strong={money(invoice.totalTTC)}>
          <Fact name={words.totalHT} value={money(invoice.totalHT)} />
          <Fact name={words.totalVat} value={money(invoice.totalVat)} />
          <Fact name={words.amountDue} value={money(invoice.amountDue)} />
        </Card>
      </SimpleGrid>
      <Lines id={id} />
      <Vat id={id} />
      <Details id={id} currency={invoice.currency} />
      <Box className="ps-facts ps-no-print">
        <Fact name={words.company} value={invoice.kco} />
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

function Card({ title, strong, children }: {
  title: string;
  strong: string;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" className="ps-card">
      <Text size="xs" c="dimmed">{title}</Text>
      <Text fw={650} size="lg" className="ps-wrap">{strong || "—"}</Text>
      {children}
    </Paper>
  );
}

/** Name and value; hidden without a value. `children` shows a value that is more than text. */
function Fact({ name, value, children = value }: {
  name: string;
  value: string | null | undefined;
  children?: ReactNode;
}) {
  if (!value) return null;
  return (
    <div className="ps-fact">
      {name && <Text span size="sm" c="dimmed">{name}</Text>}
      <Text span size="sm" className="ps-wrap">{children}</Text>
    </div>
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
