import { z } from "zod";
import { say } from "#src/kernel/i18n/sentence.ts";
import { Message } from "./message.ts";
import { complain, Language, object, refers, Version } from "./words.ts";

export type PackMessages = { readonly [key: string]: string | PackMessages };
const PackMessages: z.ZodType<PackMessages> = z.lazy(() =>
  z.record(z.string().min(1).max(200), z.union([Message, PackMessages]))
);

/**
 * Returns the messages by their dotted keys: `common.save`, however they are nested; the later of two equal keys
 * wins.
 */
export function flatMessages(messages: PackMessages): Map<string, string> {
  const flat = new Map<string, string>();
  const add = (group: PackMessages, before: string) => {
    for (const [key, it] of Object.entries(group)) {
      if (typeof it === "string") flat.set(before + key, it);
      else add(it, `${before}${key}.`);
    }
  };
  add(messages, "");
  return flat;
}

/** Messages by dotted keys as a tree; no key is the beginning of another. */
export function nestedMessages(flat: ReadonlyMap<string, string>): PackMessages {
  const root = new Map<string, unknown>();
  for (const [key, text] of flat) {
    const steps = key.split(".");
    const last = steps.pop() ?? key;
    let group = root;
    for (const step of steps) {
      const inner = group.get(step);
      const next = inner instanceof Map ? inner : new Map<string, unknown>();
      group.set(step, next);
      group = next;
    }
    group.set(last, text);
  }
  return plain(root) as PackMessages;
}

function plain(it: unknown): unknown {
  return it instanceof Map
    ? Object.fromEntries([...it].map(([key, inner]) => [key, plain(inner)]))
    : it;
}

/** Returns the key of a text that is also the prefix of other keys. */
function findBlocked(messages: PackMessages): string | undefined {
  const keys = flatMessages(messages);
  for (const key of keys.keys()) {
    for (let dot = key.indexOf("."); dot >= 0; dot = key.indexOf(".", dot + 1)) {
      if (keys.has(key.slice(0, dot))) return key.slice(0, dot);
    }
  }
  return undefined;
}

/** The texts of a language; of one app, where it differs from the common ones. ICU MessageFormat. */
export const LanguagePack = object({
  version: Version,
  language: Language,
  name: z.string().min(1).max(60).optional(),
  fallback: refers("language").optional(),
  direction: z.enum(["ltr", "rtl"]).optional(),
  messages: PackMessages.superRefine((messages, context) => {
    const key = findBlocked(messages);
    if (key !== undefined) {
      complain(context, { sentence: say`${key} is a message and the group of others` });
    }
  }),
});
