import { z } from "@hono/zod-openapi";
import { ShownParam } from "#src/framework/charts/mod.ts";
import { Looks, ShownLookup } from "#src/framework/dictionary/mod.ts";

export const AppPath = z.object({
  app: z.string().max(100).openapi({ description: "Name of the app", example: "sales" }),
});
export const ScreenPath = z.object({
  app: z.string().openapi({ description: "Name of the app", example: "sales" }),
  screen_id: z.string().openapi({
    description: "Name of the screen in its app",
    example: "orders",
  }),
});

const Listed = z.object({
  app: z.string().openapi({ description: "Name of the app", example: "sales" }),
  id: z.string().openapi({
    description: "Name of the screen in its app; its permission code is `screen:<app>:<id>`",
    example: "orders",
  }),
  label: z.string().openapi({ description: "Label of the screen", example: "Commandes" }),
  description: z.string().optional().openapi({
    description: "Purpose of the screen",
    example: "Commandes d'une société",
  }),
}).openapi("ListedScreen", { description: "Screen in a list" });
export const ScreenList = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  screens: z.array(Listed).openapi({ description: "Screens in their order" }),
  total: z.int().openapi({ description: "Number of entries", example: 5 }),
}).openapi("ScreenList", { description: "Screens that the caller may open" });

const GridColumn = z.object({
  field: z.string().openapi({ description: "Column of the query", example: "status" }),
  ...Looks,
  grow: z.number().optional().openapi({
    description: "Share of the remaining width",
    example: 1,
  }),
  pinned: z.enum(["start", "end"]).optional().openapi({
    description: "Side on which the column stays visible",
    example: "start",
  }),
  display: z.enum(["text", "badge", "link", "boolean", "progress", "date", "money", "message"])
    .optional()
    .openapi({ description: "Display of the values", example: "badge" }),
  total: z.enum(["sum", "avg", "min", "max", "count"]).optional().openapi({
    description: "Total in the footer of the column",
    example: "sum",
  }),
  hidden: z.boolean().optional().openapi({
    description: "True when the column is hidden until the user selects it",
    example: true,
  }),
  link: z.string().optional().openapi({
    description:
      "`dialog` opens the record. A path opens a page of the console: `{name}` in it is the encoded value of that column",
    example: "/invoices/{doc}-{dct}-{kco}",
  }),
  sortable: z.literal(true).optional().openapi({
    description: "True when the grid can be sorted by the column",
  }),
  missing: z.literal(true).optional().openapi({
    description: "True when the query no longer returns the column",
  }),
}).openapi("GridColumn", { description: "Column of a grid" });
const GridFilter = z.object({
  field: z.string().optional().openapi({
    description: "Column to filter",
    example: "status",
  }),
  param: z.string().optional().openapi({
    description: "Parameter of the query, instead of `field`",
    example: "from",
  }),
  op: z.string().optional().openapi({ description: "Operator of the filter", example: "in" }),
  label: z.string().openapi({ description: "Label of the filter", example: "Statut" }),
  type: z.string().optional().openapi({ description: "Type of the values", example: "string" }),
  required: z.boolean().optional().openapi({
    description: "True when the query requires the filter",
    example: false,
  }),
  lookup: z.string().optional().openapi({
    description: "Lookup that provides the values",
    example: "order_status",
  }),
}).openapi("GridFilter", { description: "Filter of a grid" });
const Condition = z.object({
  field: z.string().openapi({ description: "Column to compare", example: "status" }),
  op: z.string().openapi({ description: "Comparison operator", example: "=" }),
  value: z.unknown().optional().openapi({
    description: "Value to compare with",
    example: "closed",
  }),
}).openapi({ description: "Condition on a column" });
const Input = z.object({
  field: z.string().openapi({
    description: "Column of the record and parameter of the queries",
    example: "status",
  }),
  label: z.string().openapi({ description: "Label of the field", example: "Statut" }),
  description: z.string().optional().openapi({
    description: "Meaning of the field",
    example: "Statut de la commande",
  }),
  type: z.string().optional().openapi({ description: "Type of the values", example: "string" }),
  input: z.string().openapi({ description: "Input control", example: "select" }),
  lookup: z.string().optional().openapi({
    description: "Lookup that provides the values",
    example: "order_status",
  }),
  help: z.string().optional().openapi({
    description: "Help text below the field",
    example: "Fermée : plus rien ne part",
  }),
  required: z.boolean().optional().openapi({
    description: "True when the field requires a value",
    example: true,
  }),
  readonly: z.union([
    z.boolean(),
    z.object({
      on: z.enum(["create", "update"]).openapi({
        description: "The operation on which it cannot be changed",
      }),
    }),
  ]).optional().openapi({
    description: "Field that cannot be changed, always or in one operation",
    example: true,
  }),
  width: z.enum(["half", "full"]).optional().openapi({
    description: "Half or full width of the form",
    example: "half",
  }),
  visible_when: Condition.optional(),
  default: z.unknown().optional().openapi({
    description: "Value of a new record",
    example: "open",
  }),
  min: z.union([z.number(), z.string()]).optional().openapi({
    description: "Smallest value",
    example: 0,
  }),
  max: z.union([z.number(), z.string()]).optional().openapi({
    description: "Largest value",
    example: 1000,
  }),
  step: z.number().optional().openapi({ description: "Step between values", example: 0.01 }),
  rows: z.int().optional().openapi({ description: "Height in lines", example: 4 }),
}).openapi("DialogField", { description: "Field of a form" });
const Tab = z.object({
  id: z.string().openapi({ description: "Name of the tab", example: "main" }),
  label: z.string().openapi({ description: "Label of the tab", example: "Général" }),
  fields: z.array(Input).optional().openapi({ description: "Fields in their order" }),
  detail: z.object({
    screen: z.string().openapi({
      description: "Screen with the grid",
      example: "sales/order_lines",
    }),
    params: z.record(z.string(), z.string()).optional().openapi({
      description: "Column of the record for each parameter",
      example: { "order_no": "order_no" },
    }),
  })
    .optional().openapi({
      description: "Grid below the record",
    }),
}).openapi("DialogTab", { description: "Tab of a form" });
const Operation = z.object({
  query: z.string().openapi({
    description: "Query of the connector of the screen",
    example: "update_order",
  }),
  confirm: z.string().optional().openapi({
    description: "Confirmation question; `{…}` stands for columns of the record",
    example: "Supprimer {order_no} ?",
  }),
  params: z.record(z.string(), ShownParam).openapi({
    description: "Parameters of the query by name",
  }),
}).openapi("DialogOperation", { description: "Operation of a form" });
const Dialog = z.object({
  width: z.enum(["sm", "md", "lg", "full"]).openapi({
    description: "Width of the dialog",
    example: "md",
  }),
  read: Operation.optional(),
  create: Operation.optional(),
  update: Operation.optional(),
  delete: Operation.optional(),
  tabs: z.array(Tab).openapi({ description: "Tabs in their order" }),
}).openapi("ScreenDialog", {
  description: "Form of one record, with the operations that the caller may run",
});
const Action = z.object({
  id: z.string().openapi({ description: "Name of the action", example: "close" }),
  label: z.string().openapi({ description: "Label of the action", example: "Clôturer" }),
  connector: z.string().optional().openapi({
    description: "Connector of the query or endpoint",
    example: "erp",
  }),
  query: z.string().optional().openapi({
    description: "Query that the action runs",
    example: "close_order",
  }),
  writes: z.boolean().optional().openapi({
    description: "True when the query changes data and is called with `:write`",
    example: true,
  }),
  endpoint: z.string().optional().openapi({
    description: "Endpoint that the action calls, instead of a query",
    example: "close",
  }),
  job: z.string().optional().openapi({
    description: "Job that the action starts, instead of a query",
    example: "nightly",
  }),
  params: z.record(z.string(), z.unknown()).optional().openapi({
    description: "Column of the record for each parameter",
    example: { order_no: "order_no" },
  }),
  on: z.enum(["row", "selection", "screen"]).openapi({
    description: "Scope of the action: one row, the selected rows or the screen",
    example: "selection",
  }),
  confirm: z.string().optional().openapi({
    description: "Confirmation question; `{count}` stands for the number of rows",
    example: "Clôturer {count} commandes ?",
  }),
}).openapi("ScreenAction", { description: "Action on records" });

export const Screen = z.object({
  language: z.string().openapi({ description: "Language of the labels", example: "fr" }),
  revision: z.string().openapi({
    description: "Revision of the content, equal to the `ETag`",
    example: "8f2a11c0d3b4e596",
  }),
  app: z.string().openapi({ description: "Name of the app", example: "sales" }),
  id: z.string().openapi({ description: "Name of the screen in its app", example: "orders" }),
  label: z.string().openapi({ description: "Label of the screen", example: "Commandes" }),
  description: z.string().optional().openapi({
    description: "Purpose of the screen",
    example: "Commandes d'une société",
  }),
  source: z.object({
    connector: z.string().openapi({ description: "Name of the connector", example: "crm" }),
    query: z.string().openapi({ description: "Name of the query", example: "orders" }),
    allowed: z.boolean().openapi({
      description:
        "False when the caller may not run the query, or when its row filter shows no row to their roles",
      example: true,
    }),
  }).openapi({
    description: "Query of the grid",
  }),
  key: z.array(z.string()).optional().openapi({
    description: "Columns that identify a record",
    example: ["order_no"],
  }),
  version_field: z.string().optional().openapi({
    description: "Column that changes with each update; an update sends it back",
    example: "row_version",
  }),
  grid: z.object({
    columns: z.array(GridColumn).openapi({ description: "Columns in their order" }),
    sort: z.array(z.string()).openapi({
      description: "Default order; `-` sorts in descending order",
      example: ["-order_date"],
    }),
    page_size: z.int().optional().openapi({ description: "Number of rows per page", example: 50 }),
    filters: z.array(GridFilter).openapi({ description: "Filters of the filter bar" }),
    selection: z.enum(["none", "single", "multiple"]).openapi({
      description: "Number of rows that a user can select",
      example: "multiple",
    }),
    style: z.array(
      z.object({
        when: Condition,
        tone: z.string().openapi({ description: "Tone of the matching rows", example: "muted" }),
      }).openapi({ description: "Conditional style of rows" }),
    ).openapi({ description: "Conditional styles of rows" }),
  }).openapi({ description: "Grid of a screen" }),
  dialog: Dialog.optional(),
  actions: z.array(Action).openapi({
    description: "Actions that the caller may start",
  }),
  lock: z.object({
    ttl: z.string().openapi({
      description: "Duration of a lock without renewal",
      example: "120s",
    }),
    renew: z.string().openapi({ description: "Interval between renewals", example: "40s" }),
    takeover: z.boolean().openapi({
      description: "True when the caller may take over a lock",
      example: false,
    }),
  }).optional().openapi({ description: "Locking of records during editing; omitted without it" }),
  export: z.object({
    max_rows: z.int().optional().openapi({
      description: "Maximum number of rows",
      example: 100000,
    }),
    columns: z.enum(["visible", "all"]).openapi({
      description: "Columns of an export that names none",
      example: "visible",
    }),
  })
    .optional().openapi({
      description: "Export of the view as XLSX; omitted when the caller may not export",
    }),
  refresh: z.object({
    on: z.array(z.string()).openapi({
      description: "Types of live events",
      example: ["query.invalidated"],
    }),
  }).optional().openapi({ description: "Live events that reload the grid" }),
  lookups: z.record(z.string(), ShownLookup).openapi({
    description: "Lookups that the screen uses, as in the dictionary",
  }),
}).openapi("Screen", { description: "Definition of a screen" });

export const ExportBody = z.object({
  params: z.record(z.string(), z.unknown()).default({}).openapi({
    description: "Parameters of the query by name",
    example: { from: "2026-01-01" },
  }),
  filters: z.unknown().optional().openapi({
    description: "Active filters, as `q` of a query",
    example: [{ status: { in: ["open"] } }],
  }),
  sort: z.array(z.string().max(129)).max(20).optional().openapi({
    description: "Columns to sort by; `-` sorts in descending order",
    example: ["-order_date"],
  }),
  columns: z.array(z.string().max(128)).min(1).max(500).optional().openapi({
    description: "Columns in their order; default: the visible ones",
    example: ["order_no", "amount"],
  }),
}).strict().openapi("ScreenExportRequest", { description: "View to export" });
