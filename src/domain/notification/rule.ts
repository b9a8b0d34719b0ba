import type { Language } from "#src/kernel/language.ts";
import type { RULE_CATALOGUE } from "../template/catalogue_rules.ts";
import type { ValueOf } from "../template/read_property.ts";
import type { Template } from "../template/template.ts";

type DirectionFilter = ValueOf<(typeof RULE_CATALOGUE)["direction"]>;

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

export type RuleTemplate = Pick<Template, "name" | "properties">;
