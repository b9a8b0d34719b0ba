import { z } from "zod";
import { Language, object, refers, Version } from "./words.ts";

export type Messages = { readonly [key: string]: string | Messages };
const Messages: z.ZodType<Messages> = z.lazy(() =>
  z.record(z.string().min(1).max(200), z.union([z.string().max(10_000), Messages]))
);

/** The texts of a language; of one app, where it differs from the common ones. ICU MessageFormat. */
export const LanguagePack = object({
  version: Version,
  language: Language,
  name: z.string().min(1).max(60).optional(),
  fallback: refers("language").optional(),
  direction: z.enum(["ltr", "rtl"]).optional(),
  messages: Messages,
});
