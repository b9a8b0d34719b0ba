import type { Text } from "#src/kernel/sentences/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { RULE_CATALOGUE } from "../template/catalogue_rules.ts";
import type { ValueOf } from "../template/read_property.ts";
import type { Template } from "../template/template.ts";

type DirectionFilter = ValueOf<(typeof RULE_CATALOGUE)["direction"]>;

/** Whose portal inbox gets the record; `everybody` is one record under the `*` sentinel. */
export type PortalTarget =
  | { readonly kind: "everybody" }
  | { readonly kind: "user" | "role"; readonly name: string };

/** A call of a connector that a rule makes. */
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

/** Who is told what, and what is called, when a status changes. */
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
  /** A chart of the settings, shown in the e-mails as it is when they are sent. */
  readonly chart: string | undefined;
  /** Of the labels, the audit footer and the PDF. */
  readonly language: Language;
  readonly actions: readonly ActionCall[];
}

/** Texts of a rule that gives none of its own, in its language. */
export const DEFAULT_SUBJECT: Text = {
  fr: "Facture {doc} {dct} {kco} — {statusLabel}",
  en: "Invoice {doc} {dct} {kco} — {statusLabel}",
};
/** The e-mail of a rule that has no `body`, by its language. */
export const DEFAULT_BODY: Text = {
  fr: "Statut : {statusLabel}\nMotif : {reasonLabel}\nAction : {actionLabel}\n{message}",
  en: "Status: {statusLabel}\nReason: {reasonLabel}\nAction: {actionLabel}\n{message}",
};
/** The portal's text of a rule that has neither `portal.message` nor `body`. */
export const DEFAULT_PORTAL_MESSAGE = "{statusLabel}";

/** A rule as it is stored: a template of type `notification-rule`. */
export type RuleTemplate = Pick<Template, "name" | "properties">;
