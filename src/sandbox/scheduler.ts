import { messageOf } from "#src/kernel/errors.ts";
import { acknowledge } from "./acknowledge.ts";
import { tellStatus } from "./lifecycle.ts";
import type { Plan } from "./model.ts";
import { now, type Platform, write } from "./platform.ts";

const TICK_MS = 20;

/** Carries out what is planned when it is due, one after the other in the order of their times. */
export function startScheduler(platform: Platform): { readonly stop: () => Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= runDue(platform).finally(() => running = undefined);
  }, TICK_MS);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function runDue(platform: Platform): Promise<void> {
  for (;;) {
    const plan = nextDue(platform);
    if (!plan) return;
    try {
      await carryOut(platform, plan);
    } catch (error) {
      platform.log?.error("sandbox.plan.failed", { plan: plan.act.type, why: messageOf(error) });
      write(platform, { kind: "done", at: now(platform), planId: plan.id });
    }
  }
}

function nextDue(platform: Platform): Plan | undefined {
  const at = now(platform);
  let next: Plan | undefined;
  for (const plan of platform.state.plans.values()) {
    if (plan.due <= at && (next === undefined || plan.due < next.due)) next = plan;
  }
  return next;
}

async function carryOut(platform: Platform, plan: Plan): Promise<void> {
  if (plan.act.type === "ack") return await acknowledge(platform, plan, plan.act.script);
  const about = platform.state.flows.get(plan.flowId);
  if (about) await tellStatus(platform, about, plan.act.step);
  write(platform, { kind: "done", at: now(platform), planId: plan.id });
}
