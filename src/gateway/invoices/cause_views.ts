import { type SQL, sql } from "drizzle-orm";
import { findings, invoices } from "#drizzle/schema/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { SIGNED_TOTAL } from "./figure_views.ts";

/** Rejected invoices that are grouped at most, the newest first. */
export const MAX_GROUPED = 2_000;
const MAX_CAUSES = 20;

/** Cause for which the checks rejected invoices. */
interface Cause {
  readonly rule: string;
  readonly message: string;
  readonly count: number;
  amounts: { currency: string; amount: string }[];
}

/** Selects the rule of the first blocking finding, since later findings often follow from it. */
const FIRST_RULE = sql`(select ${findings.rule} from ${findings}
  where ${findings.invoiceId} = ${invoices.id} and ${findings.level} in ('FATAL', 'ERROR')
  order by ${findings.level} = 'ERROR', ${findings.seq} limit 1)`;

/** Selects invoices that the checks rejected for this rule first. */
export function isRejectedFor(rule: string): SQL {
  return sql`(${invoices.status} = ${STATUS.validationFailed} and ${FIRST_RULE} = ${rule})`;
}

/** Groups issued invoices that the checks rejected by cause, the most frequent first. */
export async function listRejectionCauses(db: Db, language: Language): Promise<Cause[]> {
  const message = language === "fr" ? findings.messageFr : findings.messageEn;
  return getRows<Cause>(
    await db.execute(sql`
    with rejected as (
      select ${invoices.id} as id, coalesce(${invoices.currency}, '') as currency, case when ${invoices.totalTTC} is not null then ${SIGNED_TOTAL} end as amount
      from ${invoices}
      where ${invoices.status} = ${STATUS.validationFailed} and ${invoices.direction} = 'issued'
      order by ${invoices.issueDate} desc limit ${MAX_GROUPED}
    ), caused as (
      select distinct on (rejected.id) rejected.*, ${findings.rule} as rule, ${message} as message
      from rejected join ${findings} on ${findings.invoiceId} = rejected.id
      where ${findings.level} in ('FATAL', 'ERROR')
      order by rejected.id, ${findings.level} = 'ERROR', ${findings.seq}
    ), sums as (
      select rule, json_agg(json_build_object('currency', currency, 'amount', amount) order by currency) as amounts
      from (
        select rule, currency, trim_scale(sum(amount))::text as amount from caused
        where amount is not null group by rule, currency
      ) of_currency group by rule
    )
    select rule, (array_agg(message order by id))[1] as message, count(*)::int as count,
      coalesce((array_agg(sums.amounts))[1], '[]') as amounts
    from caused left join sums using (rule)
    group by rule order by count desc, rule limit ${MAX_CAUSES}`),
  );
}
