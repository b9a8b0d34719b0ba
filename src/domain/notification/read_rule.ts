import { reasonOf } from "../invoice/reasons.ts";
import { statusOf, storedCode } from "../invoice/status.ts";
import { MAX_RECIPIENTS, parseAddressList } from "../mail/address.ts";
import { canonicalUsername, isRoleName } from "../permission/account.ts";
import { readActions } from "./read_actions.ts";
import {
  DEFAULT_BODY,
  DEFAULT_PORTAL_MESSAGE,
  DEFAULT_SUBJECT,
  type DirectionFilter,
  type NotificationRule,
  type PortalTarget,
  RULE_PROPERTIES,
  type RuleTemplate,
} from "./rule.ts";

export type ReadRule =
  | { readonly ok: true; readonly rule: NotificationRule }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a rule from its stored properties; every problem is told, with the property and the value. */
export function readRule({ name, properties }: RuleTemplate): ReadRule {
  const problems: string[] = [];
  const reader: Reader = {
    text: (key) => (Object.hasOwn(properties, key) ? properties[key] ?? "" : "").trim(),
    problem: (key, why) => void problems.push(`${key}: ${why}`),
  };
  for (const key of Object.keys(properties)) {
    if (!Object.hasOwn(RULE_PROPERTIES, key)) {
      reader.problem(
        key,
        `no property of a rule; there are ${Object.keys(RULE_PROPERTIES).join(", ")}`,
      );
    }
  }
  const rule = ruleFrom(name, reader);
  const nothing = problemOfEffect(rule);
  if (nothing) reader.problem(...nothing);
  return problems.length ? { ok: false, problems } : { ok: true, rule };
}

interface Reader {
  /** Trimmed; empty when absent. */
  text(key: keyof typeof RULE_PROPERTIES): string;
  problem(key: string, why: string): void;
}

function ruleFrom(name: string, reader: Reader): NotificationRule {
  const { text } = reader;
  const body = text("body");
  return {
    name,
    description: text("description"),
    enabled: yesOrNo(reader, "enabled", false),
    statuses: codes(reader, "trigger.status", (code) => statusOf(code) !== undefined).map(
      storedCode,
    ),
    reasons: codes(reader, "trigger.reason", (code) => reasonOf(code) !== undefined),
    direction: direction(reader),
    portal: yesOrNo(reader, "channel.portal", true),
    email: yesOrNo(reader, "channel.email", false),
    target: target(reader),
    emails: emails(reader),
    subject: text("subject") || DEFAULT_SUBJECT,
    body: body || DEFAULT_BODY,
    portalMessage: text("portal.message") || body || DEFAULT_PORTAL_MESSAGE,
    attachPdf: yesOrNo(reader, "attachPdf", true),
    language: text("language").toLowerCase().startsWith("en") ? "en" : "fr",
    actions: readActions(text("actions"), (why) => reader.problem("actions", why)),
  };
}

/** A rule that could never do anything was not meant so. */
function problemOfEffect(
  { portal, email, emails, target, actions }: NotificationRule,
): [key: keyof typeof RULE_PROPERTIES, why: string] | undefined {
  if (!portal && !email && !actions.length) {
    return ["channel.portal", "the rule has no channel and calls nothing"];
  }
  const reachesUser = portal && target.kind === "user";
  return email && !emails.length && !reachesUser
    ? ["email.list", "the rule sends e-mails and names no address"]
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
      problem(key, `${JSON.stringify(code.slice(0, 60))} is not in the catalogue`);
    }
  }
  return [...new Set(listed)];
}

const DIRECTIONS: ReadonlyMap<string, DirectionFilter> = new Map([
  ["", "Any"],
  ["any", "Any"],
  ["issued only", "Issued only"],
  ["received only", "Received only"],
]);

function direction({ text, problem }: Reader): DirectionFilter {
  const found = DIRECTIONS.get(text("direction").toLowerCase());
  if (found) return found;
  problem(
    "direction",
    `${JSON.stringify(text("direction"))} is none of Any, Issued only, Received only`,
  );
  return "Any";
}

function yesOrNo(
  { text, problem }: Reader,
  key: "enabled" | "channel.portal" | "channel.email" | "attachPdf",
  fallback: boolean,
): boolean {
  const given = text(key).toUpperCase();
  if (given === "") return fallback;
  if (given !== "Y" && given !== "N") {
    problem(key, `${JSON.stringify(text(key))} is neither Y nor N`);
  }
  return given === "Y";
}

function target({ text, problem }: Reader): PortalTarget {
  const type = text("target.type").toLowerCase();
  const name = text("target.name");
  if (!["", "user", "role"].includes(type)) {
    problem("target.type", `${JSON.stringify(text("target.type"))} is neither User nor Role`);
  }
  if (name === "") return { kind: "everybody" };
  if (type === "role") {
    if (!isRoleName(name)) problem("target.name", `${JSON.stringify(name)} is no name of a role`);
    return { kind: "role", name };
  }
  const username = canonicalUsername(name);
  if (username === undefined) problem("target.name", `${JSON.stringify(name)} is no username`);
  return { kind: "user", name: username ?? name };
}

function emails({ text, problem }: Reader): readonly string[] {
  const { addresses, wrong } = parseAddressList(text("email.list"));
  for (const piece of wrong) {
    problem("email.list", `${JSON.stringify(piece.slice(0, 100))} is no address`);
  }
  if (addresses.length > MAX_RECIPIENTS) {
    problem("email.list", `${addresses.length} addresses; ${MAX_RECIPIENTS} are allowed`);
  }
  return addresses;
}
