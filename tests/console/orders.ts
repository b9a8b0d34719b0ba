import { assertEquals } from "@std/assert";
import { postgresUrl } from "#tests/support/db.ts";
import { type ErpDatabase, erpDatabase } from "#tests/support/erp_database.ts";
import { MARKUP } from "./filled.ts";

const SCRIPT = `
  create table orders (order_no text primary key, customer text, status text not null default 'open',
    amount numeric(12,2) not null default 0, currency text not null default 'EUR', ordered_on date,
    note text, region text, row_version bigint not null default 1);
  create table regions (code text primary key, name text);
  insert into regions select 'R' || n, 'Region ' || n from generate_series(10, 70) n;
  insert into orders select 'SO-' || n, 'Customer ' || n, case when n % 4 = 0 then 'closed' else 'open' end,
    n * 10.01, 'EUR', date '2026-01-01' + n, null, 'R' || n from generate_series(1, 60) n;
  update orders set customer = '${MARKUP}', note = '${MARKUP}' where order_no = 'SO-3';
  grant select, insert, update, delete on orders, regions to {role};`;

const LABEL = JSON.stringify({ en: MARKUP, fr: MARKUP });

const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      orders:
        sql: |
          select order_no, customer, status, amount, currency, ordered_on, note, region from orders
          where true [[ and status = any(:status) ]]
        params: { status: { type: array<string>, lookup: order_status } }
        filter: [order_no, customer, amount, ordered_on, region]
        sort: { allow: [order_no, amount, ordered_on], default: [ordered_on] }
      order_by_no:
        sql: select * from orders where order_no = :order_no
        params: { order_no: { type: string, required: true } }
      update_order:
        mode: write
        sql: |
          update orders set customer = :customer, status = :status, amount = :amount, note = :note,
            region = :region, row_version = row_version + 1 where order_no = :order_no
        params:
          order_no: { type: string, required: true }
          row_version: { type: integer, required: true }
          customer: { type: string, required: true, max_length: 60 }
          status: { type: string, required: true }
          amount: { type: decimal, required: true, min: 0 }
          note: { type: string }
          region: { type: string }
      insert_order:
        mode: write
        sql: insert into orders (order_no, customer, amount) values (:order_no, :customer, :amount)
        params:
          order_no: { type: string, required: true, pattern: "^SO-[0-9]+$" }
          customer: { type: string, required: true }
          amount: { type: decimal, required: true }
      delete_order:
        mode: write
        sql: delete from orders where order_no = :order_no
        params: { order_no: { type: string, required: true } }
      close_order:
        mode: write
        sql: update orders set status = 'closed' where order_no = :order_no
        params: { order_no: { type: string, required: true } }
      region_list:
        sql: select code, name from regions
        sort: { default: [code] }
      by_status:
        sql: select status, count(*) as orders, sum(amount) as amount from orders group by 1 order by 1
`;

const DICTIONARY = `version: 1
languages: [en, fr]
columns:
  order_no: { label: { en: Order, fr: Commande } }
  customer: { label: { en: Customer, fr: Client } }
  ordered_on: { label: { en: Ordered, fr: Date } }
  note: { label: { en: Note, fr: Remarque } }
  region: { label: { en: Region, fr: Région }, lookup: regions }
  amount:
    label: { en: Amount, fr: Montant }
    format: { style: currency, currency_field: currency, fraction_digits: 2 }
  status: { label: { en: Status, fr: Statut }, lookup: order_status }
lookups:
  regions: { type: query, connector: erp, query: region_list, value: code, label: name, limit: 5 }
  order_status:
    type: static
    values:
      - { value: open, label: { en: Open, fr: Ouverte }, color: blue }
      - { value: closed, label: { en: Closed, fr: Close }, color: green }
`;

const SCREENS = `version: 1
screens:
  sales:
    orders:
      label: { en: Orders, fr: Commandes }
      source: { connector: erp, query: orders }
      key: [order_no]
      version_field: row_version
      grid:
        columns:
          - { field: order_no, pinned: start, link: dialog }
          - { field: customer, grow: 1 }
          - { field: status, display: badge, link: "/invoices/{order_no}" }
          - { field: amount, total: sum, width: 180 }
          - { field: ordered_on, link: "/apps/screen/sales/orders?f.customer.contains={customer}" }
          - { field: note, hidden: true }
          - { field: region, hidden: true }
        page_size: 20
        filters:
          - { param: status }
          - { field: customer, op: contains }
          - { field: ordered_on, op: between }
          - { field: region, op: starts_with }
        selection: multiple
        style: [{ when: { field: status, op: "=", value: closed }, tone: muted }]
      dialog:
        read: { query: order_by_no }
        create: { query: insert_order }
        update: { query: update_order }
        delete: { query: delete_order, confirm: { en: "Delete {order_no}?", fr: "Supprimer {order_no} ?" } }
        tabs:
          - id: main
            label: { en: Main, fr: Général }
            fields:
              - { field: order_no, readonly: { on: update }, width: half }
              - { field: status, width: half }
              - { field: customer }
              - { field: amount, input: number, width: half }
          - id: more
            label: { en: More, fr: Suite }
            fields: [{ field: note, input: textarea }, { field: region, input: lookup, lookup: regions }]
      actions:
        - id: close
          label: { en: Close orders, fr: Clôturer }
          query: close_order
          params: { order_no: order_no }
          on: selection
          confirm: { en: "Close {count} orders?", fr: "Clôturer {count} commandes ?" }
        - { id: by_status, label: { en: By status, fr: Par statut }, query: by_status, on: screen }
      lock: { enabled: true, ttl: 60s, renew: 500ms }
`;

const CHARTS = `version: 1
charts:
  orders_by_status:
    label: ${LABEL}
    type: bar
    source: { connector: erp, query: by_status }
    encoding:
      x: { field: status, type: nominal, lookup: order_status }
      y: { field: orders, type: quantitative }
      tooltip: [amount]
    drill: { screen: sales/orders, params: { status: "{status}" } }
  gauge: { label: Gauge, type: gauge, source: { connector: erp, query: by_status }, encoding: { value: { field: orders } } }
  pie:
    label: Pie
    type: donut
    source: { connector: erp, query: by_status }
    encoding: { x: { field: status, type: nominal }, y: { field: amount, type: quantitative } }
  funnel:
    label: Funnel
    type: funnel
    source: { connector: erp, query: by_status }
    encoding: { x: { field: status, type: nominal }, y: { field: amount, type: quantitative } }
  dots:
    label: Dots
    type: scatter
    source: { connector: erp, query: by_status }
    encoding: { x: { field: orders, type: quantitative }, y: { field: amount, type: quantitative } }
  heat:
    label: Heat
    type: heatmap
    source: { connector: erp, query: by_status }
    encoding:
      x: { field: status, type: nominal }
      y: { field: orders, type: ordinal }
      value: { field: amount, type: quantitative }
  rows: { label: Rows, type: table, source: { connector: erp, query: by_status }, encoding: {} }
`;

const DASHBOARDS = `version: 1
dashboards:
  sales:
    label: { en: Sales, fr: Ventes }
    panels:
      - { id: status, chart: orders_by_status, grid: { x: 0, y: 0, w: 6, h: 4 } }
      - { id: pie, chart: pie, grid: { x: 6, y: 0, w: 6, h: 4 } }
      - { id: gauge, chart: gauge, grid: { x: 0, y: 4, w: 4, h: 4 } }
      - { id: funnel, chart: funnel, grid: { x: 4, y: 4, w: 4, h: 4 } }
      - { id: dots, chart: dots, grid: { x: 8, y: 4, w: 4, h: 4 } }
      - { id: heat, chart: heat, grid: { x: 0, y: 8, w: 6, h: 4 } }
      - { id: rows, chart: rows, grid: { x: 6, y: 8, w: 3, h: 4 } }
      - { id: list, grid_of: sales/orders, grid: { x: 0, y: 12, w: 12, h: 4 } }
      - id: note
        grid: { x: 9, y: 8, w: 3, h: 4 }
        text: { en: 'Read **this** <img src=x onerror="window.broken=1"> and [that](javascript:window.broken=1)', fr: "Lisez **ceci**" }
`;

const MENUS = `version: 1
apps:
  sales:
    label: { en: Sales, fr: Ventes }
    items:
      - { id: orders, label: { en: Orders, fr: Commandes }, target: { screen: orders } }
      - id: figures
        label: { en: Figures, fr: Chiffres }
        items:
          - { id: board, label: { en: Board, fr: Tableau }, target: { dashboard: sales } }
          - { id: chart, label: { en: "One chart", fr: "Un graphique" }, target: { chart: orders_by_status } }
      - { id: invoices, label: { en: Invoices sent, fr: Factures émises }, target: { url: /invoices } }
      - { id: help, label: { en: Help, fr: Aide }, target: { url: "https://docs.example.test", new_tab: true } }
`;

/** Creates an external database of orders, with screens, charts and a dashboard. */
export async function startOrders(url: string, headers: HeadersInit): Promise<ErpDatabase> {
  const erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
  const at = new URL(erp.url);
  const pools = `version: 1
pools:
  erp:
    driver: postgres
    host: ${at.hostname}
    port: ${at.port || 5432}
    database: ${at.pathname.slice(1)}
    user: ${erp.role}
    password: erp
    ssl: { mode: disable }
`;
  const sections = { connectors: CONNECTORS, dictionary: DICTIONARY, screens: SCREENS };
  const shown = { charts: CHARTS, dashboards: DASHBOARDS, menus: MENUS };
  for (const [name, text] of Object.entries({ pools, ...sections, ...shown })) {
    const answer = await fetch(`${url}/admin/config/${name}/raw?force=true`, {
      method: "POST",
      headers: { ...headers, "content-type": "text/yaml" },
      body: text,
    });
    assertEquals(answer.status, 200, `${name}: ${await answer.text()}`);
  }
  return erp;
}
