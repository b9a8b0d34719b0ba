export { Decimal } from "#src/kernel/decimal.ts";
export * from "#src/xml/mod.ts";
