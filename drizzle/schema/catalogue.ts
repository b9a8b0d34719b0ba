import * as p from "drizzle-orm/pg-core";

/** What the database family of the API lists: the apps of the menus, the first of them from the first start. */
export const applications = p.pgTable("applications", {
  id: p.serial().primaryKey(),
  /** Of the app in the section `menus`. */
  name: p.text().notNull().unique("applications_name"),
  pool: p.text().notNull().default("default"),
  rowOffset: p.integer().notNull().default(0),
  rowLimit: p.integer().notNull().default(1000),
  version: p.integer().notNull().default(1),
  dashboard: p.integer().notNull().default(0),
  theme: p.text().notNull().default("passerelle"),
});

/** The capabilities of the product; whether each is enabled is found out when it is asked. */
export const modules = p.pgTable("modules", {
  id: p.text().primaryKey(),
  position: p.integer().notNull(),
  description: p.text().notNull(),
  descriptionFr: p.text().notNull(),
});

/** The colours of the product's pages. */
export const themes = p.pgTable("themes", {
  name: p.text().notNull(),
  key: p.text().notNull(),
  position: p.integer().notNull(),
  light: p.text().notNull(),
  dark: p.text().notNull(),
}, (t) => [p.primaryKey({ columns: [t.name, t.key] })]);
