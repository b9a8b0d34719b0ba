import type { Language } from "#src/kernel/language.ts";
import type { Template } from "../template/template.ts";

export type DirectionFilter = "Any" | "Issued only" | "Received only";

/** Whose portal inbox gets the record; `everybody` is one record under the `*` sentinel. */
export type PortalTarget =
  | { readonly kind: "everybody" }
  | { readonly kind: "user" | "role"; readonly name: string };

export interface ActionCall {
  /** For people only. */
  readonly description: string;
  readonly connector: string;
  /** Endpoint of an API connector, or query of an SQL connector. */
  readonly target: string;
  /** Name to value; values may hold placeholders. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly stopOnFailure: boolean;
}

export interface NotificationRule {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** Stored codes; empty means every status. */
  readonly statuses: readonly string[];
  /** Empty means every reason. */
  readonly reasons: readonly string[];
  readonly direction: DirectionFilter;
  readonly portal: boolean;
  readonly email: boolean;
  readonly target: PortalTarget;
  /** Each address once. */
  readonly emails: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly portalMessage: string;
  readonly attachPdf: boolean;
  /** Of the labels, the audit footer and the PDF. */
  readonly language: Language;
  readonly actions: readonly ActionCall[];
}

export const DEFAULT_SUBJECT = "Invoice {doc} {dct} {kco} — {statusLabel}";
export const DEFAULT_BODY = [
  "Status: {statusLabel}",
  "Reason: {reasonLabel}",
  "Action: {actionLabel}",
  "{message}",
].join("\n");
export const DEFAULT_PORTAL_MESSAGE = "{statusLabel}";

/** Names under which a template of type `notification-rule` stores a rule; every value is text. */
export const RULE_PROPERTIES = {
  description: "free text",
  enabled: "Y, else the rule is stored and skipped",
  "trigger.status": "status codes separated by commas; empty: every status",
  "trigger.reason": "reason codes separated by commas; empty: every reason",
  direction: "Any (default), Issued only, Received only",
  "channel.portal": "Y (default) or N",
  "channel.email": "Y or N (default)",
  "target.type": "User (default) or Role",
  "target.name": "a username or a role; empty: everybody",
  "email.list": "addresses separated by , or ;",
  subject: "one line with placeholders",
  body: "plain text with placeholders",
  "portal.message": "the portal's text; default: the body given, else {statusLabel}",
  attachPdf: "Y (default) or N",
  language: "fr (default) or en",
  actions: "JSON list of { description, connector, target, parameters, stopOnFailure }",
} as const;

export type RuleTemplate = Pick<Template, "name" | "properties">;
