import {
  createLookup,
  type NotificationRule,
  readRule,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { fill } from "#src/domain/notification/placeholders.ts";

export const NOTICE: StatusNotice = {
  doc: "100000 ",
  dct: "RI",
  kco: "00001",
  status: "207",
  reason: "TX_TVA_ERR",
  action: "NIN",
  message: "Le taux est faux",
};
export const INVOICE = {
  fedoc: "100000",
  kco: "from the row",
  ublNumber: "RI-100000",
  issueDate: "126282",
  dueDate: "2026-11-08",
  totalHT: "1234.5",
  totalTTC: "1481.400000",
  amountDue: "0",
  currency: "EUR",
  customerName: "GROUPE HÉLIOS        ",
  customerRef: "552100554",
  contractRef: "C-77",
  logBusinessUnit: "  1001",
  logPaUuid: "6f9c",
  createdAt: new Date("2026-11-20T10:11:12.345Z"),
};

export function rule(properties: Record<string, string> = {}): NotificationRule {
  const read = readRule({ name: "Litiges", properties: { enabled: "Y", ...properties } });
  if (!read.ok) throw new Error(read.problems.join("; "));
  return read.rule;
}

export function problems(properties: Record<string, string>): string {
  const read = readRule({ name: "Litiges", properties });
  return read.ok ? "" : read.problems.join("; ");
}

export const filled = (text: string, given: Partial<StatusNotice> = {}) =>
  fill(
    text,
    createLookup({
      rule: rule({ language: "fr" }),
      notice: { ...NOTICE, ...given },
      invoice: INVOICE,
    }),
  );
