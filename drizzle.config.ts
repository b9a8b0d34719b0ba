import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "./drizzle/schema/mod.ts",
  out: "./drizzle/migrations",
  casing: "snake_case",
});
