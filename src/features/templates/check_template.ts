import type { Deps } from "#src/deps.ts";
import { readConnector } from "#src/domain/connector/mod.ts";
import { schedulesOf, strayScheduleOf } from "#src/domain/schedule/schedule.ts";
import { isSecretProperty, SECRET_MASK, type Template } from "#src/domain/template/template.ts";
import { AppError } from "#src/kernel/errors.ts";

/** Throws AppError `refused` for a template that could not be used, or that would carry secrets to another host. */
export function checkTemplate(
  { cron }: Pick<Deps, "cron">,
  template: Template,
  { before }: { before?: Template } = {},
): void {
  if (template.type === "connector") checkConnector(template, before);
  if (template.type !== "document") return;
  const stray = strayScheduleOf(template.properties);
  if (stray !== undefined) throw new AppError("refused", `There is no ${stray}`);
  for (const schedule of schedulesOf(template.properties)) {
    const problem = cron.problem(schedule);
    if (problem) throw new AppError("refused", `schedule.${schedule.kind}: ${problem}`);
  }
}

function checkConnector(template: Template, before: Template | undefined): void {
  const read = readConnector(template);
  if (!read.ok) throw new AppError("refused", read.problems.join("; "));
  const kept = Object.entries(template.properties)
    .filter(([name, value]) => isSecretProperty(name) && value === SECRET_MASK)
    .map(([name]) => name);
  if (!before || !kept.length || sameHosts(before, template)) return;
  throw new AppError(
    "refused",
    `${template.name} names other hosts than before: enter ${kept.join(", ")} again`,
  );
}

/** Whoever may change a host must not have what is stored sent there without knowing it. */
function sameHosts(before: Template, after: Template): boolean {
  return ["kind", "URL", "hosts", "privateHosts", "pool"].every((name) =>
    (before.properties[name] ?? "").trim() === (after.properties[name] ?? "").trim()
  );
}
