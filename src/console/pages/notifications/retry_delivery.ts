import { api } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { toast } from "../../components/toasts.tsx";
import { sentence } from "../../i18n/language.ts";
import type { NOTIFICATIONS } from "./words.ts";

export type ListedDelivery = components["schemas"]["NotificationDeliveries"]["deliveries"][number];

const LOOK_MS = 700;
/** A mail server that accepts the connection and stays silent takes a minute. */
const PATIENCE_MS = 70_000;

/** Sends a delivery again, waits for the attempt and shows its result as a message. */
export async function retryDelivery(
  of: ListedDelivery,
  words: (typeof NOTIFICATIONS)["en"],
  moment: (at: string) => string,
): Promise<void> {
  const path = { id: of.id };
  await api.POST("/api/notifications/deliveries/{id}/replay", { params: { path } });
  const result = of.channel === "dispatch" ? undefined : await waitForResult(of);
  if (!result) return toast(words.restarted);
  const { state, address, error, nextAttemptAt } = result;
  if (state === "sent" && error === null) return toast(words.sentTo(address));
  const reason = error?.replace(/[^.!?]$/, "$&.");
  const next = nextAttemptAt && `${words.nextAttempt(moment(nextAttemptAt))}.`;
  const said = [words.notSent(address), reason && sentence(reason), next];
  toast(said.filter(Boolean).join(" "), "failed");
}

/** Marks a delivery that was given up as failed, so that it no longer waits for a person. */
export async function dismissDelivery(
  id: string,
  words: (typeof NOTIFICATIONS)["en"],
): Promise<void> {
  await api.POST("/api/notifications/deliveries/{id}/dismiss", { params: { path: { id } } });
  toast(words.dismissed);
}

/** Resolves to the delivery after its next attempt; undefined if the attempt takes too long. */
async function waitForResult(
  { id, attempts }: ListedDelivery,
): Promise<ListedDelivery | undefined> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const { data } = await api.GET("/api/notifications/deliveries", { params: { query: { id } } });
    const found = data?.deliveries[0];
    if (!found) continue; // the rule decides again
    const isRetried = found.attempts > attempts && found.nextAttemptAt !== null;
    if (found.state !== "pending" || isRetried) return found;
  }
  return undefined;
}
