import { RUN_MODES } from "../processing/run.ts";
import type { Template, TemplateType } from "./template.ts";

type Choices = Readonly<Record<string, readonly string[]>>;

const OF_SYSTEM: Readonly<Record<string, Choices>> = {
  global: { smtpSecure: ["starttls", "tls", "none"] },
  "e-invoicing": { preflight: ["advisory", "block", "off"] },
};

const OF_TYPE: Readonly<Partial<Record<TemplateType, Choices>>> = {
  document: {
    direction: ["issued", "received", "out", "in"],
    submit: ["Y", "N", "yes", "no"],
    language: ["fr", "en"],
    mode: RUN_MODES,
  },
};

/** What is wrong with properties that take one of a few words, in whatever case; empty means the default. */
export function problemsOfChoices({ type, name, properties }: Template): string[] {
  const choices = type === "system" ? OF_SYSTEM[name] : OF_TYPE[type];
  return Object.entries(choices ?? {}).flatMap(([property, allowed]) => {
    const given = Object.hasOwn(properties, property) ? properties[property]?.trim() : undefined;
    const isKnown = !given || allowed.some((it) => it.toLowerCase() === given.toLowerCase());
    return isKnown ? [] : [
      `${property} is ${JSON.stringify(given.slice(0, 100))}; expected ${listed(allowed)}`,
    ];
  });
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
