import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { findReason } from "../invoice/reasons.ts";
import { findStatus, storedCode } from "../invoice/status.ts";
import { MAX_RECIPIENTS, parseAddressList } from "../mail/address.ts";
import { canonicalUsername, isRoleName } from "../permission/account.ts";
import { RULE_CATALOGUE } from "../template/catalogue_rules.ts";
import type { PropertySpec } from "../template/property.ts";
import {
  describeExpectation,
  givenText,
  parseProperty,
  type ValueOf,
} from "../template/read_property.ts";
import { readActions } from "./read_actions.ts";
import {
  type ChannelName,
  DEFAULT_BODY,
  DEFAULT_PORTAL_MESSAGE,
  DEFAULT_SUBJECT,
  type NotificationRule,
  type PortalTarget,
  type RuleTemplate,
} from "./rule.ts";

type ReadRule =
  | { readonly ok: true; readonly rule: NotificationRule }
  | {
    readonly ok: false;
    readonly problems: readonly Sentence[];
    /** The same problems without the name of their property, by property. */
    readonly fields: Readonly<Record<string, Sentence>>;
  };

/** Reads a rule from its stored properties; every problem is reported with the property and the value. */
export function readRule(template: RuleTemplate): ReadRule {
  const found: { key: string; why: Sentence }[] = [];
  const reader = createReader(template, (key, why) => void found.push({ key, why }));
  for (const key of Object.keys(template.properties)) {
    if (!Object.hasOwn(RULE_CATALOGUE, key)) {
      reader.problem(
        key,
        say`no property of a rule; there are ${Object.keys(RULE_CATALOGUE)}`,
      );
    }
  }
  const rule = ruleFrom(template.name, reader);
  const nothing = problemOfEffect(rule);
  // A list with a wrong address is not also reported as empty.
  if (nothing && !found.some(({ key }) => key === nothing[0])) reader.problem(...nothing);
  if (found.length === 0) return { ok: true, rule };
  const byKey = Object.entries(Object.groupBy(found, ({ key }) => key));
  return {
    ok: false,
    problems: found.map(({ key, why }) => say`${key}: ${why}`),
    fields: Object.fromEntries(
      byKey.map(([key, all = []]) => [key, say`${all.map(({ why }) => why)}`]),
    ),
  };
}

/** Names of all channels, in the order of the catalogue. */
export const CHANNEL_NAMES = Object.keys(RULE_CATALOGUE).filter((it) => it.startsWith("channel."))
  .map((it) => it.slice("channel.".length)) as readonly ChannelName[];

type Key = keyof typeof RULE_CATALOGUE;
const KEYS = Object.keys(RULE_CATALOGUE) as Key[];
type ChoiceKey = {
  [K in Key]: (typeof RULE_CATALOGUE)[K]["type"] extends "choice" ? K : never;
}[Key];

interface Reader {
  /** Returns a trimmed property; empty when absent. */
  text(key: Key): string;
  /** Returns the choice, or the default if it is absent or invalid. An invalid choice is reported. */
  choice<K extends ChoiceKey>(key: K): ValueOf<(typeof RULE_CATALOGUE)[K]>;
  problem(key: string, why: Sentence): void;
}

function createReader(template: RuleTemplate, problem: Reader["problem"]): Reader {
  return {
    problem,
    text: (key) => givenText(template, key) ?? "",
    choice<K extends ChoiceKey>(key: K) {
      const spec: PropertySpec = RULE_CATALOGUE[key];
      const given = givenText(template, key) ?? spec.default ?? "";
      const expected = describeExpectation(spec, given);
      if (expected !== undefined) {
        problem(key, say`${JSON.stringify(given.slice(0, 100))}; expected ${expected}`);
      }
      const read = parseProperty(spec, expected === undefined ? given : spec.default);
      return read as ValueOf<(typeof RULE_CATALOGUE)[K]>;
    },
  };
}

function ruleFrom(name: string, reader: Reader): NotificationRule {
  const { text } = reader;
  const language = reader.choice("language");
  return {
    name,
    description: text("description"),
    enabled: reader.choice("enabled") === "Y",
    statuses: codes(reader, "trigger.status", (code) => findStatus(code) !== undefined).map(
      storedCode,
    ),
    reasons: codes(reader, "trigger.reason", (code) => findReason(code) !== undefined),
    direction: reader.choice("direction"),
    channels: CHANNEL_NAMES.filter((it) => reader.choice(`channel.${it}`) === "Y"),
    target: target(reader),
    emails: emails(reader),
    subject: text("subject") || DEFAULT_SUBJECT[language],
    body: text("body") || DEFAULT_BODY[language],
    portalMessage: text("portal.message") || DEFAULT_PORTAL_MESSAGE,
    attachPdf: reader.choice("attachPdf") === "Y",
    chart: chart(reader),
    language,
    given: Object.fromEntries(KEYS.map((it) => [it, text(it)]).filter(([, it]) => it !== "")),
    actions: readActions(text("actions"), (why) => reader.problem("actions", why)),
  };
}

/**
 * Reads the name of the chart. Its existence is checked when it is drawn, since the settings change
 * independently.
 */
function chart({ text, problem }: Reader): string | undefined {
  const name = text("chart");
  if (name === "") return undefined;
  if (!/^[A-Za-z][A-Za-z0-9_.-]{0,62}$/.test(name)) {
    problem("chart", say`${JSON.stringify(name.slice(0, 100))} is no name of a chart`);
  }
  return name;
}

/** Reports a rule without any effect, which is surely a mistake. */
function problemOfEffect(
  { channels, emails, target, actions }: NotificationRule,
): [key: Key, why: Sentence] | undefined {
  if (!channels.length && !actions.length) {
    return ["channel.portal", say`the rule has no channel and calls nothing`];
  }
  const reachesUser = channels.includes("portal") && target.kind === "user";
  return channels.includes("email") && !emails.length && !reachesUser
    ? ["email.list", say`the rule sends e-mails and names no address`]
    : undefined;
}

function codes(
  { text, problem }: Reader,
  key: "trigger.status" | "trigger.reason",
  isKnown: (code: string) => boolean,
): string[] {
  const listed = text(key).split(",").map((it) => it.trim()).filter(Boolean);
  for (const code of listed) {
    if (!isKnown(code)) {
      problem(key, say`${JSON.stringify(code.slice(0, 60))} is not in the catalogue`);
    }
  }
  return [...new Set(listed)];
}

function target({ text, choice, problem }: Reader): PortalTarget {
  const type = choice("target.type");
  const name = text("target.name");
  if (name === "") {
    if (type === "Role") problem("target.name", say`the name of the role is missing`);
    return { kind: "everybody" };
  }
  if (type === "Role") {
    if (!isRoleName(name)) {
      problem("target.name", say`${JSON.stringify(name)} is no name of a role`);
    }
    return { kind: "role", name };
  }
  const username = canonicalUsername(name);
  if (username === undefined) problem("target.name", say`${JSON.stringify(name)} is no username`);
  return { kind: "user", name: username ?? name };
}

function emails({ text, problem }: Reader): readonly string[] {
  const { addresses, wrong } = parseAddressList(text("email.list"));
  for (const piece of wrong) {
    problem("email.list", say`${JSON.stringify(piece.slice(0, 100))} is no address`);
  }
  if (addresses.length > MAX_RECIPIENTS) {
    problem("email.list", say`${addresses.length} addresses; ${MAX_RECIPIENTS} are allowed`);
  }
  return addresses;
}
