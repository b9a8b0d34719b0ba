import { auditFooter, type CallOutputs } from "./action_chain.ts";
import { fill, fillLine, type Lookup, namesIn } from "./placeholders.ts";
import type { ActionCall, NotificationRule, PortalTarget } from "./rule.ts";

/** The record under this address is for every portal user. */
export const BROADCAST = "*";

/** What a rule says of one event, its placeholders filled. */
export interface Messages {
  /** Of the e-mail and the portal record alike. */
  readonly subject: string;
  readonly body: string;
  /** With the audit of the calls at its end. */
  readonly portalMessage: string;
}

/** Fills the texts of a rule; `outcomes` are those of its calls, in order. */
export function messagesOf(
  rule: NotificationRule,
  lookup: Lookup,
  outcomes: readonly CallOutputs[],
): Messages {
  const footer = auditFooter(rule.actions, outcomes, rule.language);
  const message = fill(rule.portalMessage, lookup);
  return {
    subject: fillLine(rule.subject, lookup),
    body: fill(rule.body, lookup),
    portalMessage: footer ? `${message}\n\n${footer}` : message,
  };
}

/** The parameters of a call, their placeholders filled. */
export function parametersOf(action: ActionCall, lookup: Lookup): Record<string, string> {
  return Object.fromEntries(
    Object.entries(action.parameters).map(([name, value]) => [name, fill(value, lookup)]),
  );
}

/** `*`, `user:<name>` or `role:<name>`. */
export function portalAddress(target: PortalTarget): string {
  return target.kind === "everybody" ? BROADCAST : `${target.kind}:${target.name}`;
}

/** Every placeholder a rule uses, so that what is costly to know is only looked up when asked for. */
export function placeholdersOf(rule: NotificationRule): Set<string> {
  const texts = [
    rule.subject,
    rule.body,
    rule.portalMessage,
    ...rule.actions.flatMap((it) => Object.values(it.parameters)),
  ];
  return new Set(texts.flatMap((text) => [...namesIn(text)]));
}
