import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
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

type Needs = Pick<Deps, "clock" | "db" | "log" | "pa" | "settings" | "tasks" | "vault">;

/** How far a call's time may be from ours, seconds; within it no call counts twice. */
const WINDOW_S = 300;

/** Asks the PA to call `callbackUrl` of every flow that changes, beside the polling. Resolves to the webhook's id. */
export async function registerWebhook(
  needs: Needs,
  callbackUrl: string,
  by: Actor,
): Promise<string> {
  const pa = await openPa(needs);
  const { webhookId, signingKey } = await pa.registerWebhook({ callbackUrl });
  if (!signingKey) {
    await pa.deleteWebhook(webhookId);
    throw new AppError(
      "upstream",
      say`${pa.name} gave no signing key: its calls could not be told from anybody's`,
    );
  }
  const sealed = needs.vault.seal(signingKey, contextOf(webhookId));
  const origin = await paOrigin(needs);
  await needs.db.transaction(async (tx) => {
    await insertWebhook(tx, { webhookId, callbackUrl, signingKey: sealed, paOrigin: origin });
    const event = "webhook.registered";
    const after = { callbackUrl, pa: origin };
    await recordAudit({ ...needs, db: tx }, { actor: by, event, target: webhookId, after });
  });
  return webhookId;
}

/** Takes a webhook back. One the PA has forgotten by itself is taken back already; another PA is not asked. */
export async function removeWebhook(needs: Needs, webhookId: string, by: Actor): Promise<void> {
  const webhook = (await listWebhooks(needs.db)).find((it) => it.webhookId === webhookId);
  if (!webhook) throw notFound("Webhook", webhookId);
  if (isOf(webhook, await paOrigin(needs))) await unregister(needs, webhookId);
  const { callbackUrl, createdAt, paOrigin: pa } = webhook;
  await needs.db.transaction(async (tx) => {
    await deleteWebhook(tx, webhookId);
    const before = { callbackUrl, createdAt, pa };
    const event = "webhook.deleted";
    await recordAudit({ ...needs, db: tx }, { actor: by, event, target: webhookId, before });
  });
}

async function unregister(needs: Needs, webhookId: string): Promise<void> {
  const pa = await openPa(needs);
  await pa.deleteWebhook(webhookId).catch((error) => {
    const isForgotten = error instanceof PaError && error.outcome === "refused" &&
      error.httpStatus === 404;
    if (!isForgotten) throw error;
    needs.log.info("webhook.forgotten", { webhook: webhookId });
  });
}

function isOf(webhook: { paOrigin: string | null }, origin: string): boolean {
  return webhook.paOrigin === null || webhook.paOrigin === origin;
}

export async function showWebhooks({ db }: Pick<Deps, "db">) {
  return (await listWebhooks(db)).map(({ webhookId, callbackUrl, createdAt, lastCallAt }) => ({
    webhookId,
    callbackUrl,
    createdAt: createdAt.toISOString(),
    lastCallAt: lastCallAt?.toISOString() ?? null,
  }));
}

/**
 * A call of the PA only makes a poll due: what it says is read from the PA itself. Throws `unauthenticated`
 * for a call that none of the registered keys signed a moment ago; the same call again does nothing.
 */
export async function receiveWebhookCall(needs: Needs, call: SignedCall): Promise<void> {
  const now = Math.floor(needs.clock.now().getTime() / 1000);
  const origin = await paOrigin(needs);
  const webhook = (await listWebhooks(needs.db)).find((it) => {
    if (!isOf(it, origin)) return false;
    const signingKey = needs.vault.open(it.signingKey, contextOf(it.webhookId));
    return isSignedByPa(call, { signingKey, now, toleranceS: WINDOW_S });
  });
  if (!webhook || !call.signature) {
    throw new AppError("unauthenticated", say`The call is not signed by the PA, or too old`);
  }
  const { webhookId } = webhook;
  const signature = canonicalSignature(call.signature);
  await needs.db.transaction(async (tx) => {
    const isNew = await rememberCall(tx, {
      webhookId,
      signature,
      keptS: 2 * WINDOW_S,
    });
    if (isNew) {
      await needs.tasks.enqueue(tx, pollTask, { scope: "recent" }, { dedupeKey: pollTask.name });
    } else needs.log.info("webhook.repeated", { webhook: webhookId });
  });
}

/** Seals the signing keys by the vault's key of today; resolves to how many were sealed anew. */
export async function renewWebhooks({ db, vault }: Pick<Deps, "db" | "vault">): Promise<number> {
  let count = 0;
  for (const { webhookId, signingKey } of await listWebhooks(db)) {
    const sealed = vault.renewed(signingKey, contextOf(webhookId));
    if (sealed === signingKey) continue;
    await replaceSigningKey(db, webhookId, sealed);
    count++;
  }
  return count;
}

function contextOf(webhookId: string): string {
  return `webhook ${webhookId}`;
}
