import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { acknowledge } from "./acknowledge.ts";
import { tellStatus } from "./lifecycle.ts";
import type { Plan } from "./model.ts";
import { now, type SandboxPa, wholeFlow, write } from "./pa.ts";

const TICK_MS = 20;

/** Executes scheduled actions when they are due, one by one in the order of their times. */
export function startScheduler(pa: SandboxPa): { readonly stop: () => Promise<void> } {
  const share = newSingleFlight<void>();
  const timer = setInterval(() => void share(() => runDue(pa)), TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await share(async () => {}); // the running one ends first
    },
  };
}

async function runDue(pa: SandboxPa): Promise<void> {
  for (;;) {
    const plan = nextDue(pa);
    if (!plan) return;
    try {
      await carryOut(pa, plan);
    } catch (error) {
      pa.log?.error("sandbox.plan.failed", { plan: plan.act.type, why: toMessage(error) });
      write(pa, { kind: "done", at: now(pa), planId: plan.id });
    }
  }
}

function nextDue(pa: SandboxPa): Plan | undefined {
  const at = now(pa);
  let next: Plan | undefined;
  for (const plan of pa.state.plans.values()) {
    if (plan.due <= at && (next === undefined || plan.due < next.due)) next = plan;
  }
  return next;
}

async function carryOut(pa: SandboxPa, plan: Plan): Promise<void> {
  if (plan.act.type === "ack") return await acknowledge(pa, plan, plan.act.script);
  const about = pa.state.flows.get(plan.flowId);
  if (about) await tellStatus(pa, await wholeFlow(pa, about), plan.act.step);
  write(pa, { kind: "done", at: now(pa), planId: plan.id });
}
