import { must } from "#tests/support/access.ts";
import { startQueries } from "#tests/support/queries.ts";

export const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        sql: |
          select order_no, customer_name, status, amount, currency, order_date, row_version from orders
          where true [[ and status = any(:status) ]] [[ and order_date >= :from ]]
        params:
          status: { type: array<string>, lookup: order_status }
          from: { type: date, label: { en: From, fr: Depuis } }
        filter: [order_no, customer_name, status, order_date, amount]
        sort: { allow: [order_no, order_date, amount], default: [order_no] }
        columns: { row_version: { hidden: true }, customer_name: { label: { en: Buyer, fr: Acheteur } } }
      by_day:
        sql: |
          select order_date as day, status, sum(amount) as revenue, count(*) as n from orders
          where extract(year from order_date) = :year [[ and status = :status ]] group by 1, 2
        params: { year: { type: integer, required: true }, status: { type: string, lookup: order_status } }
        sort: { default: [day, status] }
      endless: { sql: "select generate_series(1, 10000000) as n from orders" }
      order_by_no:
        sql: select order_no, status, row_version from orders where order_no = :order_no
        params: { order_no: { type: string, required: true } }
      update_order:
        mode: write
        sql: |
          update orders set status = :status, row_version = row_version + 1 where order_no = :order_no
          returning order_no, status, row_version
        params:
          order_no: { type: string, required: true }
          row_version: { type: integer }
          status: { type: string, required: true }
      insert_order:
        mode: write
        sql: insert into orders (order_no, company, status, amount, order_date) values (:order_no, '1', 'open', 1, '2026-01-01')
        params: { order_no: { type: string, required: true } }
      delete_order:
        mode: write
        sql: delete from orders where order_no = :order_no
        params: { order_no: { type: string, required: true } }
`;

const DICTIONARY = `version: 1
languages: [en, fr]
columns:
  order_no: { label: { en: Order, fr: Commande } }
  amount:
    label: { en: Amount, fr: Montant }
    format: { style: currency, currency_field: currency, fraction_digits: 2 }
  status: { label: { en: Status, fr: Statut }, lookup: order_status }
lookups:
  order_status:
    type: static
    values:
      - { value: open, label: { en: Open, fr: Ouverte } }
      - { value: closed, label: { en: Closed, fr: Close }, active: false }
  customers: { type: query, connector: erp, query: order_by_no, value: order_no, label: order_no }
labels:
  orders.title: { en: Orders, fr: Commandes }
`;

export const SCREENS = `version: 1
screens:
  sales:
    orders:
      label: $labels.orders.title
      source: { connector: erp, query: orders }
      key: [order_no]
      version_field: row_version
      grid:
        columns:
          - { field: order_no, pinned: start, link: dialog }
          - { field: customer_name, grow: 1 }
          - { field: status, display: badge }
          - { field: amount, total: sum }
          - { field: order_date, hidden: true, label: { en: Ordered, fr: Date } }
        sort: [-order_date]
        filters:
          - { field: status, op: in }
          - { param: from }
        selection: multiple
      dialog:
        read: { query: order_by_no }
        create: { query: insert_order }
        update: { query: update_order }
        delete: { query: delete_order, confirm: { en: "Delete {order_no}?", fr: "Supprimer {order_no} ?" } }
        tabs:
          - id: main
            label: { en: Main, fr: Général }
            fields:
              - { field: order_no, readonly: { on: update } }
              - { field: status }
              - { field: customer_no, lookup: customers }
              - { field: amount, min: 0, step: 0.01 }
          - { id: all, label: All, detail: { screen: archive, params: { from: order_date } } }
      actions:
        - { id: close, label: { en: Close, fr: Clôturer }, query: update_order, on: selection }
        - { id: look, label: Look, query: order_by_no }
      lock: { enabled: true, ttl: 2s }
      export: { max_rows: 80, filename: "orders-{date}" }
    archive:
      label: Archive
      source: { connector: erp, query: orders }
      grid: { columns: [{ field: order_no }] }
  stock:
    parts: { label: Parts, source: { connector: erp, query: orders }, grid: { columns: [] } }
`;

/** Starts a database of orders with screens. */
export async function startScreens() {
  const it = await startQueries();
  await must(it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}`), 200);
  await must(it.write("connectors", CONNECTORS, { query: "?force=true" }), 200);
  await must(it.write("dictionary", DICTIONARY), 200);
  await must(it.write("screens", SCREENS), 200);
  return Object.assign(it, {
    /** Returns a token of a new user with these permissions. */
    tokenOf: async (name: string, codes: readonly string[]) =>
      (await it.userWith(name, [...codes])).token,
  });
}
