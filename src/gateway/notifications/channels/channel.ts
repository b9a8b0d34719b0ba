import type { Deps } from "#src/deps.ts";
import type { NotificationRule, StatusNotice } from "#src/domain/notification/mod.ts";
import type { Acting, Need } from "#src/domain/permission/need.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { MailPicture } from "#src/ports/mailer.ts";
import type { Db } from "#src/ports/db.ts";

/**
 * Draws a chart as PNG with the owner's current rights. Throws AppError when the owner may not see it, or when it
 * cannot be drawn.
 */
export type DrawChart = (
  request: { readonly chart: string; readonly username: string; readonly language: Language },
  signal: AbortSignal,
) => Promise<MailPicture>;

/** Dependencies of channels that send messages. */
export type SendDeps =
  & Pick<Deps, "clock" | "db" | "log" | "mailer" | "settings" | "storage" | "vault">
  & { readonly drawChart: DrawChart };

/** Texts of a rule about one status change. */
export interface Texts {
  readonly subject: string;
  readonly body: string;
  readonly portalMessage: string;
}

/** Message to one address. */
export interface Message {
  /** A UUID that is the same whenever this message is sent again. */
  readonly id: string;
  readonly address: string;
  readonly subject: string;
  readonly body: string;
  readonly notice: StatusNotice;
  readonly pdf: Uint8Array | undefined;
  /** Rule as it is now; undefined if it was deleted or has another owner. */
  readonly rule: Pick<NotificationRule, "chart" | "language" | "name"> | undefined;
}

/** Parts that every channel has. */
interface Addressed {
  /** Returns the addresses of a rule's recipients, each once. */
  addresses(
    deps: Pick<Deps, "accounts">,
    rule: NotificationRule,
  ): Promise<readonly string[]> | readonly string[];
  /** Returns the text for the recipients. */
  text(texts: Texts): string;
}

/** Channel whose deliveries are complete when they are recorded. */
export interface RecordChannel extends Addressed {
  readonly kind: "record";
  /** Announces new deliveries, in the transaction that records them. */
  announce(deps: Pick<Deps, "live">, tx: Db, addresses: readonly string[]): Promise<void>;
}

/** Channel that sends each delivery in a separate task, which the queue retries. */
export interface SendChannel extends Addressed {
  readonly kind: "send";
  /** Middle part of the channel's log events: `notification.mail.failed`. */
  readonly event: string;
  /** Returns the permissions of the user in whose name the messages are sent. */
  needs(rule: Pick<NotificationRule, "chart">): readonly Need[];
  /**
   * Sends a message; a second call with the same message has no further effect that its recipient cannot recognise.
   * Returns why the message did not reach its recipient although nothing failed.
   */
  send(
    deps: SendDeps,
    message: Message,
    by: { readonly owner: Acting; readonly signal: AbortSignal },
  ): Promise<Sentence | undefined>;
  /** Ends a pause after errors, so that the next message is really attempted. */
  endPause(deps: Pick<Deps, "db" | "vault">): Promise<void>;
  /** Explains an error of `send`: final, or to be retried after a wait that consumes no attempt. */
  failureOf(error: unknown): { readonly isFinal: boolean; readonly waitMs?: number | undefined };
}

/** Way to deliver notifications. */
export type Channel = RecordChannel | SendChannel;
