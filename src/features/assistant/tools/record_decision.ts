import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { beginningOf } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";

/** Of the arguments the audit keeps the beginning. */
const MAX_AUDITED = 4_000;

interface Decided {
  readonly actor: Actor;
  readonly tool: string;
  readonly permission: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly decision: "allow" | "deny";
  /** Id of the call, or `mcp`. */
  readonly call: string;
}

/** What a user said to a call that waited for it, in the audit. */
export async function recordDecision(
  needs: Pick<Deps, "clock" | "db">,
  { actor, tool, permission, arguments: given, decision, call }: Decided,
): Promise<void> {
  await recordAudit(needs, {
    actor,
    event: "assistant.decided",
    target: `tool:${tool}`,
    after: {
      call,
      permission,
      arguments: beginningOf(JSON.stringify(given), MAX_AUDITED),
      decision,
    },
  });
}
