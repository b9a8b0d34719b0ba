import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";

/** Limit of the arguments stored in the audit. */
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

/** Records a user's decision about a waiting call in the audit. */
export async function recordDecision(
  deps: Pick<Deps, "clock" | "db">,
  { actor, tool, permission, arguments: given, decision, call }: Decided,
): Promise<void> {
  await recordAudit(deps, {
    actor,
    event: "assistant.decided",
    target: `tool:${tool}`,
    after: {
      call,
      permission,
      arguments: truncateText(JSON.stringify(given), MAX_AUDITED),
      decision,
    },
  });
}
