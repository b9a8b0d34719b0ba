import * as p from "drizzle-orm/pg-core";

/** Apps listed by the API's database operations; the first exists from the first start. */
export const applications = p.pgTable("applications", {
  id: p.serial().primaryKey(),
  /** Name of the app in the section `menus`. */
  name: p.text().notNull().unique("applications_name"),
  pool: p.text().notNull().default("default"),
  rowOffset: p.integer().notNull().default(0),
  rowLimit: p.integer().notNull().default(1000),
  version: p.integer().notNull().default(1),
  dashboard: p.integer().notNull().default(0),
  theme: p.text().notNull().default("passerelle"),
});

/** Capabilities of the product; whether each is enabled is computed on request. */
export const modules = p.pgTable("modules", {
  id: p.text().primaryKey(),
  position: p.integer().notNull(),
  description: p.text().notNull(),
  descriptionFr: p.text().notNull(),
});

/** Colors of the product's pages. */
export const themes = p.pgTable("themes", {
  name: p.text().notNull(),
  key: p.text().notNull(),
  position: p.integer().notNull(),
  light: p.text().notNull(),
  dark: p.text().notNull(),
}, (t) => [p.primaryKey({ columns: [t.name, t.key] })]);
