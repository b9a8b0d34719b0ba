import { Box, Table, Text, Title } from "@mantine/core";
import { Fragment } from "react";
import type { components } from "../../api/schema.d.ts";
import { useRead } from "../../api/queries.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { ProblemNote } from "../notes.tsx";
import { Coded } from "./coded.tsx";
import { DETAILS } from "./detail_words.ts";
import { INVOICE } from "./words.ts";

type Line = components["schemas"]["InvoiceLines"]["lines"][number];

/** Invoice lines with all their details. */
export function Lines({ id }: { id: string }) {
  const words = useWords(INVOICE);
  const { exact, percent, price, amount } = useFormats();
  const { data, error } = useRead("/api/invoices/{id}/lines", { path: { id } });
  return (
    <section aria-label={words.lines}>
      <Title order={2} size="h4" mb="xs">{words.lines}</Title>
      <ProblemNote problem={error} />
      {data?.lines.length === 0 && <Text c="dimmed" size="sm">{words.noLines}</Text>}
      {data && data.lines.length > 0 && (
        <Box className="ps-grid-box">
          <Table className="ps-grid ps-lines" data-short aria-label={words.lines}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{words.line}</Table.Th>
                <Table.Th>{words.description}</Table.Th>
                <Table.Th data-align="right">{words.quantity}</Table.Th>
                <Table.Th data-align="right">{words.unitPrice}</Table.Th>
                <Table.Th data-align="right">{words.rate}</Table.Th>
                <Table.Th data-align="right">{words.lineAmount}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.lines.map((it) => (
                <Table.Tr key={it.lineId} {...!isCounted(it) && { c: "dimmed" }}>
                  <Table.Td data-label={words.line} data-card="hidden">
                    {it.documentLineId || it.lineId}
                  </Table.Td>
                  <Table.Td data-label={words.description} data-card="head" className="ps-fills">
                    <Box miw={96}>
                      <Text size="sm" className="ps-wrap">{it.description}</Text>
                      <Text size="xs" c="dimmed">{it.itemId}</Text>
                      <LineFacts line={it} />
                    </Box>
                  </Table.Td>
                  <Table.Td
                    data-label={words.quantity}
                    data-card="body"
                    data-align="right"
                    className="ps-number"
                  >
                    <span>
                      {it.quantity === null ? "" : exact(it.quantity)}{" "}
                      <Coded of="units" code={it.unit} count={it.quantity} />
                    </span>
                  </Table.Td>
                  <Table.Td
                    data-label={words.unitPrice}
                    data-card="body"
                    data-align="right"
                    className="ps-number"
                  >
                    <div>
                      {price(it.unitPrice, it.currency)}
                      <PriceFacts line={it} />
                    </div>
                  </Table.Td>
                  <Table.Td
                    data-label={words.rate}
                    data-card="body"
                    data-align="right"
                    className="ps-number"
                  >
                    {it.taxRate === null
                      ? <Coded of="vat-categories" code={it.taxCategory} />
                      : percent(it.taxRate)}
                  </Table.Td>
                  <Table.Td
                    data-label={words.lineAmount}
                    data-card="head-end"
                    data-align="right"
                    className="ps-number"
                  >
                    <div>
                      {amount(it.lineAmount, it.currency)}
                      <Adjustments entries={it.allowances} sign={-1} currency={it.currency} />
                      <Adjustments entries={it.charges} sign={1} currency={it.currency} />
                    </div>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Box>
      )}
    </section>
  );
}

/**
 * Returns true for lines that count in the total. Groups repeat their parts, and information lines have no
 * amount.
 */
function isCounted({ lineKind }: Line): boolean {
  return lineKind === "" || lineKind === "DETAIL";
}

/** Hierarchy, references, delivery, period and note of a line. */
function LineFacts({ line }: { line: Line }) {
  const words = useWords(DETAILS);
  const { day } = useFormats();
  const tag = (label: string, value: string) => value && `${label} ${value}`;
  const period = line.periodStart || line.periodEnd
    ? words.period(day(line.periodStart), day(line.periodEnd))
    : "";
  const facts = [
    [
      words.lineKinds[line.lineKind] ?? "",
      tag(words.partOf, line.parentLineId),
    ],
    [
      tag(words.order, line.orderRef),
      tag(words.orderLine, line.orderLineRef),
      tag(words.despatch, line.despatchRef),
      tag(words.receiving, line.receivingRef),
    ],
    [tag(words.delivered, day(line.deliveryDate)), line.deliveryPlace, period],
    [line.note],
  ].map((parts) => parts.filter((it) => it !== "")).filter((parts) => parts.length > 0);
  return facts.map((parts, at) => (
    <Text key={at} size="xs" c="dimmed" className="ps-wrap">
      {parts.map((it, at) => (
        <Fragment key={at}>
          {at > 0 && " · "}
          <bdi>{it}</bdi>
        </Fragment>
      ))}
    </Text>
  ));
}

/** Base quantity of the price, and the price before discount. */
function PriceFacts({ line }: { line: Line }) {
  const words = useWords(DETAILS);
  const { exact, price } = useFormats();
  const { baseQuantity, baseUnit, unit, grossPrice, priceDiscount, currency } = line;
  return (
    <>
      {baseQuantity !== null && baseQuantity !== 1 && (
        <Text size="xs" c="dimmed" className="ps-said">
          {words.per} {exact(baseQuantity)}{" "}
          <Coded of="units" code={baseUnit || unit} count={baseQuantity} />
        </Text>
      )}
      {grossPrice !== null && Boolean(priceDiscount) && (
        <Text size="xs" c="dimmed" className="ps-said">
          {words.grossPrice(price(grossPrice, currency), price(priceDiscount, currency))}
        </Text>
      )}
    </>
  );
}

function Adjustments({ entries, sign, currency }: {
  entries: Line["allowances"];
  sign: 1 | -1;
  currency: string;
}) {
  const words = useWords(DETAILS);
  const { amount } = useFormats();
  return entries.map((it, index) => (
    <Text key={index} size="xs" c="dimmed" className="ps-said">
      <bdi>{it.reason || (sign < 0 ? words.allowance : words.charge)}</bdi>{" "}
      {amount(it.amount === null ? null : sign * it.amount, currency)}
    </Text>
  ));
}
