import { auditFooter, type CallOutputs } from "./action_chain.ts";
import { fill, fillLine, namesIn, type PlaceholderLookup } from "./placeholders.ts";
import type { ActionCall, NotificationRule, PortalTarget } from "./rule.ts";

/** The record under this address is for every portal user. */
export const BROADCAST = "*";

/** Texts of a rule for one event, with placeholders filled. */
export interface RuleMessages {
  /** Subject of both the e-mail and the portal record. */
  readonly subject: string;
  readonly body: string;
  /** Text of the portal record, with the audit of the calls at its end. */
  readonly portalMessage: string;
}

/** Fills the texts of a rule; `outcomes` are those of its calls, in order. */
export function fillMessages(
  rule: NotificationRule,
  lookup: PlaceholderLookup,
  outcomes: readonly CallOutputs[],
): RuleMessages {
  const footer = auditFooter(rule.actions, outcomes, rule.language);
  const message = fill(rule.portalMessage, lookup);
  return {
    subject: fillLine(rule.subject, lookup),
    body: fill(rule.body, lookup),
    portalMessage: footer ? `${message}\n\n${footer}` : message,
  };
}

/** Returns the parameters of a call, their placeholders filled. */
export function fillParameters(
  action: ActionCall,
  lookup: PlaceholderLookup,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(action.parameters).map(([name, value]) => [name, fill(value, lookup)]),
  );
}

/** Formats a target as `*`, `user:<name>` or `role:<name>`. */
export function portalAddress(target: PortalTarget): string {
  return target.kind === "everybody" ? BROADCAST : `${target.kind}:${target.name}`;
}

/** Returns every placeholder a rule uses, so that expensive values are only looked up when needed. */
export function collectPlaceholders(rule: NotificationRule): Set<string> {
  const texts = [
    rule.subject,
    rule.body,
    rule.portalMessage,
    ...rule.actions.flatMap((it) => Object.values(it.parameters)),
  ];
  return new Set(texts.flatMap((text) => [...namesIn(text)]));
}
