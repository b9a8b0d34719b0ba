import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import { PaError } from "#src/ports/pa.ts";
import { openPa, paOrigin } from "./settings.ts";
import { pollTask } from "../tasks.ts";
import { canonicalSignature, isSignedByPa, type SignedCall } from "./webhook_signature.ts";
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  rememberCall,
  replaceSigningKey,
} from "./webhooks_store.ts";

type WebhooksDeps = Pick<Deps, "clock" | "db" | "log" | "pa" | "settings" | "tasks" | "vault">;

/** Tolerance between the time of a call and our clock, in seconds. Within it, repeated calls are ignored. */
const WINDOW_S = 300;

/**
 * Asks the PA to call `callbackUrl` for every flow that changes, in addition to polling. Resolves to the webhook's id.
 */
export async function registerWebhook(
  deps: WebhooksDeps,
  callbackUrl: string,
  by: Actor,
): Promise<string> {
  const pa = await openPa(deps);
  const { webhookId, signingKey } = await pa.registerWebhook({ callbackUrl });
  if (!signingKey) {
    await pa.deleteWebhook(webhookId);
    throw new AppError(
      "upstream",
      say`${pa.name} returned no signing key, so its calls could not be verified`,
    );
  }
  const sealed = deps.vault.seal(signingKey, getContext(webhookId));
  const origin = await paOrigin(deps);
  await deps.db.transaction(async (tx) => {
    await insertWebhook(tx, { webhookId, callbackUrl, signingKey: sealed, paOrigin: origin });
    const event = "webhook.registered";
    const after = { callbackUrl, pa: origin };
    await recordAudit({ ...deps, db: tx }, { actor: by, event, target: webhookId, after });
  });
  return webhookId;
}

/** Removes a webhook. A webhook of another PA, or one the PA deleted already, is removed only here. */
export async function removeWebhook(
  deps: WebhooksDeps,
  webhookId: string,
  by: Actor,
): Promise<void> {
  const webhook = (await listWebhooks(deps.db)).find((it) => it.webhookId === webhookId);
  if (!webhook) throw notFound("Webhook", webhookId);
  if (belongsTo(webhook, await paOrigin(deps))) await unregister(deps, webhookId);
  const { callbackUrl, createdAt, paOrigin: pa } = webhook;
  await deps.db.transaction(async (tx) => {
    await deleteWebhook(tx, webhookId);
    const before = { callbackUrl, createdAt, pa };
    const event = "webhook.deleted";
    await recordAudit({ ...deps, db: tx }, { actor: by, event, target: webhookId, before });
  });
}

async function unregister(deps: WebhooksDeps, webhookId: string): Promise<void> {
  const pa = await openPa(deps);
  await pa.deleteWebhook(webhookId).catch((error) => {
    const isForgotten = error instanceof PaError && error.outcome === "refused" &&
      error.httpStatus === 404;
    if (!isForgotten) throw error;
    deps.log.info("webhook.forgotten", { webhook: webhookId });
  });
}

function belongsTo(webhook: { paOrigin: string | null }, origin: string): boolean {
  return webhook.paOrigin === null || webhook.paOrigin === origin;
}

/** Lists the webhooks with those of an earlier PA, whose calls are refused. */
export async function showWebhooks(deps: Pick<Deps, "db" | "vault">) {
  const webhooks = await listWebhooks(deps.db);
  if (webhooks.length === 0) return [];
  const origin = await paOrigin(deps);
  return webhooks.map((it) => ({
    webhookId: it.webhookId,
    callbackUrl: it.callbackUrl,
    createdAt: it.createdAt.toISOString(),
    lastCallAt: it.lastCallAt?.toISOString() ?? null,
    ofOtherPa: !belongsTo(it, origin),
  }));
}

/**
 * Handles a webhook call of the PA, which only makes a poll due: the data is read from the PA itself. Throws
 * `unauthenticated` for a call without a recent signature by a registered key. A repeated call does nothing.
 */
export async function receiveWebhookCall(deps: WebhooksDeps, call: SignedCall): Promise<void> {
  const now = Math.floor(deps.clock.now().getTime() / 1000);
  const origin = await paOrigin(deps);
  const webhook = (await listWebhooks(deps.db)).find((it) => {
    if (!belongsTo(it, origin)) return false;
    const signingKey = openKey(deps, it);
    return signingKey !== undefined &&
      isSignedByPa(call, { signingKey, now, toleranceS: WINDOW_S });
  });
  if (!webhook || !call.signature) {
    throw new AppError("unauthenticated", say`The call is not signed by the PA, or too old`);
  }
  const { webhookId } = webhook;
  const signature = canonicalSignature(call.signature);
  await deps.db.transaction(async (tx) => {
    const isNew = await rememberCall(tx, {
      webhookId,
      signature,
      keptS: 2 * WINDOW_S,
    });
    if (isNew) {
      await deps.tasks.enqueue(tx, pollTask, { scope: "recent" }, { dedupeKey: pollTask.name });
    } else deps.log.info("webhook.repeated", { webhook: webhookId });
  });
}

/** Returns undefined for a key that the vault cannot open; the webhooks with other keys go on working. */
function openKey(
  { log, vault }: WebhooksDeps,
  { webhookId, signingKey }: { readonly webhookId: string; readonly signingKey: string },
): string | undefined {
  try {
    return vault.open(signingKey, getContext(webhookId));
  } catch (error) {
    log.error("webhook.key.unreadable", { webhook: webhookId, error: toMessage(error) });
    return undefined;
  }
}

/** Encrypts the signing keys again with the current vault key. Resolves to their number. */
export async function renewWebhooks({ db, vault }: Pick<Deps, "db" | "vault">): Promise<number> {
  let count = 0;
  for (const { webhookId, signingKey } of await listWebhooks(db)) {
    const sealed = vault.renewed(signingKey, getContext(webhookId));
    if (sealed === signingKey) continue;
    await replaceSigningKey(db, webhookId, sealed);
    count++;
  }
  return count;
}

function getContext(webhookId: string): string {
  return `webhook ${webhookId}`;
}
