import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { insertTicket, takeTicket } from "./store.ts";

type TicketsDeps = Pick<Deps, "db" | "vault">;

export const TICKET_SECONDS = 30;
const CONTEXT = "live ticket";

/** A pass that opens one stream, within seconds, as the caller of this `Authorization` header. */
export async function issueTicket(
  { db, vault }: TicketsDeps,
  authorization: string,
): Promise<string> {
  const ticket = randomBytes(32).toString("base64url");
  const sealed = vault.seal(authorization, CONTEXT);
  await insertTicket(db, {
    hash: computeSha256(ticket),
    authorization: sealed,
    seconds: TICKET_SECONDS,
  });
  return ticket;
}

/** Returns the `Authorization` header of a ticket; undefined for an unknown, used or expired one. */
export async function redeemTicket(
  { db, vault }: TicketsDeps,
  ticket: string,
): Promise<string | undefined> {
  const sealed = await takeTicket(db, computeSha256(ticket));
  return sealed === undefined ? undefined : vault.open(sealed, CONTEXT);
}
