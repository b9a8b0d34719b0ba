import type { Deps } from "#src/deps.ts";
import { paProperty } from "#src/domain/template/read_property.ts";
import { paSettings, useTemplate } from "#src/platform/templates/mod.ts";
import { isSendingOff } from "#src/platform/setup/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Pa } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";

type SettingsDeps = Pick<Deps, "db" | "pa" | "settings" | "vault">;

/** Opens the PA of the `e-invoicing` system template; it is read-only while sending is off. */
export async function openPa(deps: SettingsDeps): Promise<Pa> {
  const [template, isOff] = await Promise.all([
    useTemplate(deps, "e-invoicing"),
    isSendingOff(deps),
  ]);
  const pa = deps.pa(paSettings(template, deps.settings.sandbox));
  return isOff ? { ...pa, submit: refuse, registerWebhook: refuse, deleteWebhook: refuse } : pa;
}

/** Opens the PA for queued work. Throws `RetryLater`, which consumes no attempt, while sending is off. */
export async function openPaToSend(deps: SettingsDeps): Promise<Pa> {
  if (!await isSendingOff(deps)) return await openPa(deps);
  const waitMs = Math.min(WAIT_MS, deps.settings.retryCapMs);
  const delayMs = Math.ceil(waitMs * (1 + Math.random()));
  throw new RetryLater(SENDING_OFF, { delayMs, free: true });
}

const WAIT_MS = 60_000;
const SENDING_OFF =
  say`Sending is off (SENDING=off, or a restored backup): deno task -q cli sending on switches it on`;

function refuse(): Promise<never> {
  return Promise.reject(new AppError("conflict", SENDING_OFF));
}

/** Scheme, host and port of the PA, which secrets are bound to; `sandbox:` whatever port that has at this start. */
export async function paOrigin(deps: Pick<Deps, "db" | "vault">): Promise<string> {
  const url = paProperty(await useTemplate(deps, "e-invoicing"), "URL") ?? "";
  return /^https?:/.test(url) && parseUrl(url)?.origin || url;
}

/** Returns false while no PA can be called: the template names none, or its settings are missing. */
export async function isPaConfigured(
  deps: Pick<Deps, "db" | "settings" | "vault">,
): Promise<boolean> {
  try {
    const template = await useTemplate(deps, "e-invoicing");
    paSettings(template, deps.settings.sandbox);
    return true;
  } catch (error) {
    const isUnset = error instanceof AppError && ["unavailable", "not_found"].includes(error.code);
    if (isUnset) return false;
    throw error;
  }
}
