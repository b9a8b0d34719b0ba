import { assert, assertEquals } from "@std/assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { METRICS } from "#src/ports/telemetry.ts";
import { readExpression } from "#tests/support/promql.ts";

const OPS = join(import.meta.dirname ?? ".", "..", "ops");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly advice: string;
    /** Path of the page with the steps for a person. */
    readonly runbook: string;
  };
}

const rules = (parse(readFileSync(join(OPS, "alerts.yaml"), "utf8")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}).groups.flatMap((it) => it.rules);

const dashboard = JSON.parse(readFileSync(join(OPS, "dashboard.json"), "utf8")) as {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string }[];
  }[];
};

Deno.test("each alert is a rule with a duration, a severity, a sentence and an instruction", () => {
  assert(rules.length >= 10);
  assertEquals(new Set(rules.map((it) => it.alert)).size, rules.length);
  for (const { alert, for: time, labels, annotations } of rules) {
    assert(/^\d+[smh]$/.test(time), alert);
    assert(/^(critical|warning)$/.test(labels.severity), alert);
    assert(annotations.summary.length > 20 && annotations.advice.length > 20, alert);
  }
});

Deno.test("runbook: each alert names its page with its four parts, and each page has its alert", () => {
  const folder = "docs/how-to/runbook";
  assertEquals(
    rules.map((it) => it.annotations.runbook).toSorted(),
    readdirSync(join(OPS, "..", folder)).map((it) => `${folder}/${it}`).toSorted(),
  );
  for (const { alert, annotations } of rules) {
    const page = readFileSync(join(OPS, "..", annotations.runbook), "utf8");
    const titles = [...page.matchAll(/^#+ (.*)$/gm)].map(([, it]) => it);
    assertEquals(titles, [alert, "Look at", "Do", "Call"]);
  }
});

Deno.test("queries of alerts and dashboard are valid PromQL, and use the product's metrics", () => {
  const asked = [
    ...rules.map((it) => ({ where: it.alert, expr: it.expr })),
    ...dashboard.panels.flatMap((it) =>
      it.targets.map(({ expr }) => ({
        where: it.title,
        expr: expr.replaceAll("$__rate_interval", "5m"),
      }))
    ),
  ];
  const wrong = asked.flatMap(({ where, expr }) => {
    const { metrics, problem } = readExpression(expr);
    if (problem) return [`${where}: ${problem}`];
    assert(metrics.length > 0, `${where} asks for nothing`);
    return metrics.flatMap((it) => unknownIn(it).map((problem) => `${where}: ${problem}`));
  });
  assertEquals(wrong, []);
});

Deno.test("every metric the product prints is on the dashboard", () => {
  const shown = dashboard.panels.flatMap((it) => it.targets.map(({ expr }) => expr)).join("\n");
  assertEquals(
    Object.keys(METRICS).filter((it) => it !== "passerelle_info" && !shown.includes(it)),
    [],
  );
});

/** Returns the queried labels of a metric that the product does not print. */
function unknownIn({ name, labels }: { name: string; labels: readonly string[] }): string[] {
  const [base, part] = split(name);
  const metric = METRICS[base as keyof typeof METRICS];
  if (!metric) return [`there is no metric ${name}`];
  if ((metric.kind === "duration") !== (part !== undefined)) return [`${name} is not printed`];
  const known: readonly string[] = [
    ...metric.labels,
    "instance",
    ...part === "bucket" ? ["le"] : [],
  ];
  return labels.filter((it) => !known.includes(it)).map((it) => `${name} has no label ${it}`);
}

function split(name: string): readonly [base: string, part: string | undefined] {
  const [, base, part] = /^(.*_seconds)_(bucket|count|sum)$/.exec(name) ?? [];
  return base === undefined ? [name, undefined] : [base, part];
}
