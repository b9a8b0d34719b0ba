import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { url } from "./environment.ts";

/** Describes a variable for `docs/reference/configuration.md`. */
interface Description {
  readonly description: string;
  /** Default in words, if the code computes it. */
  readonly preset?: string;
  readonly unit?: string;
  readonly example?: string;
}

/** Schema of a variable with its description. */
export function variable<S extends z.ZodType>(
  schema: S,
  text: string,
  more?: Omit<Description, "description">,
) {
  return schema.meta({ description: text, ...more });
}

export const httpUrl = () => url("https:", "http:");
export const text = () => z.string().min(1);
export const number = (min: number, max: number) => z.coerce.number().min(min).max(max);
export const sentence = (it: ReturnType<typeof say>) => ({ params: { sentence: it } });

/** Splits a list that is separated by commas. */
const listed = (it: string) => it.split(",").map((it) => it.trim()).filter(Boolean);

/** Exact origins, or `*` for all origins. */
export const origins = z.string().transform(listed).refine(
  (all) =>
    all.every((it) => it === "*" || URL.canParse(it) && new URL(it).origin === it) &&
    (!all.includes("*") || all.length === 1),
  sentence(
    say`origins such as https://erp.example are expected, separated by commas, or * alone`,
  ),
);

const HOST = /^(\[[0-9a-f:.]+\]|(\*\.)?[a-z0-9]([a-z0-9_.-]*[a-z0-9])?)(:\d{1,5})?$/;

/** Parses hosts of private networks: `name` or `name:port`, separated by commas. */
export const hosts = () =>
  z.string().default("").transform((it) => listed(it.toLowerCase())).refine(
    (all) => all.every((it) => HOST.test(it)),
    sentence(say`hosts separated by commas are expected, each name or name:port`),
  );

export const names = (expected: string, pattern: RegExp) =>
  z.string().default("").transform(listed)
    .refine((all) => all.every((it) => pattern.test(it)), { error: `expected ${expected}` });

/** Address of a bucket: its name and prefix. */
export const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/;
