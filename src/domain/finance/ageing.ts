import { ourRole, type Role } from "#src/domain/treatment/mod.ts";
import { add, type Decimal, parseDecimal, toFixed, ZERO } from "#src/kernel/decimal.ts";
import { BOOKS_CURRENCY } from "./counted.ts";
import { shiftDay } from "./period.ts";

/** Open amounts of invoices with the same type, currency and due date. */
export interface SummedOpen {
  readonly direction: "issued" | "received";
  readonly invoiceType: string | null;
  readonly currency: string | null;
  readonly dueDate: string | null;
  readonly invoices: number;
  readonly amount: string | null;
}

/** Names of the age classes, by days after the due date. */
export const AGES = ["notDue", "1-30", "31-60", "61-90", "over90", "noDueDate"] as const;
type Age = (typeof AGES)[number];

/** Days after the due date at which each class begins and ends. */
const LIMITS: Readonly<Record<Age, { readonly min?: number; readonly max?: number }>> = {
  notDue: { max: 0 },
  "1-30": { min: 1, max: 30 },
  "31-60": { min: 31, max: 60 },
  "61-90": { min: 61, max: 90 },
  over90: { min: 91 },
  noDueDate: {},
};

/** Open amounts of one age class. */
export interface AgeClass {
  readonly age: Age;
  readonly invoices: number;
  readonly amount: string;
  /** First and last due date of the class; null where it has no limit. */
  readonly dueFrom: string | null;
  readonly dueTo: string | null;
}

/** Open amounts in one currency. */
export interface AgedBalance {
  readonly currency: string;
  readonly invoices: number;
  readonly total: string;
  readonly overdue: string;
  readonly ages: AgeClass[];
}

/** Divides the open amounts of sales or purchases by age and currency; EUR comes first and always exists. */
export function computeAges(
  rows: readonly SummedOpen[],
  { role, today }: { readonly role: Role; readonly today: string },
): AgedBalance[] {
  const own = rows.filter((it) => ourRole(it) === role);
  const others = own.map((it) => it.currency ?? BOOKS_CURRENCY)
    .filter((it) => it !== BOOKS_CURRENCY);
  return [BOOKS_CURRENCY, ...[...new Set(others)].toSorted()].map((currency) => {
    const all = own.filter((it) => (it.currency ?? BOOKS_CURRENCY) === currency);
    const ages = AGES.map((age) => toClass(age, { rows: all, today }));
    const overdue = all.filter((it) => it.dueDate !== null && it.dueDate < today);
    return {
      currency,
      invoices: countAll(all),
      total: toFixed(addAll(all), 2),
      overdue: toFixed(addAll(overdue), 2),
      ages: ages.filter((it) => it.age !== "noDueDate" || it.invoices > 0),
    };
  });
}

function toClass(
  age: Age,
  { rows, today }: { readonly rows: readonly SummedOpen[]; readonly today: string },
): AgeClass {
  const { min, max } = LIMITS[age];
  const dueTo = min === undefined ? null : shiftDay(today, -min);
  const dueFrom = max === undefined ? null : shiftDay(today, -max);
  const own = rows.filter(({ dueDate }) =>
    dueDate === null
      ? age === "noDueDate"
      : age !== "noDueDate" && (dueFrom === null || dueDate >= dueFrom) &&
        (dueTo === null || dueDate <= dueTo)
  );
  return { age, invoices: countAll(own), amount: toFixed(addAll(own), 2), dueFrom, dueTo };
}

function countAll(rows: readonly SummedOpen[]): number {
  return rows.reduce((count, it) => count + it.invoices, 0);
}

function addAll(rows: readonly SummedOpen[]): Decimal {
  return rows.reduce((total, it) => add(total, parseDecimal(it.amount ?? "") ?? ZERO), ZERO);
}
