import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { RULE_CATALOGUE } from "../template/catalogue_rules.ts";
import type { ValueOf } from "../template/read_property.ts";
import type { Template } from "../template/template.ts";

type ChannelProperty<Key> = Key extends `channel.${infer Name}` ? Name : never;
/** Channel of deliveries: `portal`, `email` and any other property `channel.…` of the catalogue of rules. */
export type ChannelName = ChannelProperty<keyof typeof RULE_CATALOGUE>;

type DirectionFilter = ValueOf<(typeof RULE_CATALOGUE)["direction"]>;

/** Portal inbox that receives the record; `everybody` is one record under the `*` sentinel. */
export type PortalTarget =
  | { readonly kind: "everybody" }
  | { readonly kind: "user" | "role"; readonly name: string };

/** A call of a connector that a rule makes. */
export interface ActionCall {
  /** Text for users; it has no effect. */
  readonly description: string;
  readonly connector: string;
  /** Endpoint of an API connector, or query of an SQL connector. */
  readonly target: string;
  /** Name to value; values may hold placeholders. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly stopOnFailure: boolean;
}

/** Rule that defines the recipients, the texts and the calls for a status change. */
export interface NotificationRule {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  /** Stored codes; empty means every status. */
  readonly statuses: readonly string[];
  /** Empty means every reason. */
  readonly reasons: readonly string[];
  readonly direction: DirectionFilter;
  /** Channels that the rule uses, in the order of the catalogue. */
  readonly channels: readonly ChannelName[];
  readonly target: PortalTarget;
  /** Each address once. */
  readonly emails: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly portalMessage: string;
  readonly attachPdf: boolean;
  /** Chart of the settings that the e-mails show, in its state when they are sent. */
  readonly chart: string | undefined;
  /** Language of the labels, the audit footer and the PDF. */
  readonly language: Language;
  readonly actions: readonly ActionCall[];
  /** Properties of the rule as given, for channels that have further settings. */
  readonly given: Readonly<Partial<Record<keyof typeof RULE_CATALOGUE, string>>>;
}

/** Default texts of a rule, by language. */
export const DEFAULT_SUBJECT: Text = {
  fr: "Facture {doc} {dct} {kco} — {statusLabel}",
  en: "Invoice {doc} {dct} {kco} — {statusLabel}",
};
/** The e-mail of a rule that has no `body`, by its language. */
export const DEFAULT_BODY: Text = {
  fr: "Statut : {statusLabel}\nMotif : {reasonLabel}\nAction : {actionLabel}\n{message}",
  en: "Status: {statusLabel}\nReason: {reasonLabel}\nAction: {actionLabel}\n{message}",
};
/** The portal's text of a rule without `portal.message`. */
export const DEFAULT_PORTAL_MESSAGE = "{statusLabel}";

/** Stored rule: a template of type `notification-rule`. */
export type RuleTemplate = Pick<Template, "name" | "properties">;
