/** A node of `EXPLAIN (VERBOSE, FORMAT JSON)`, as far as its cost and its table are concerned. */
export interface PlanNode {
  readonly "Total Cost": number;
  readonly "Plan Rows": number;
  readonly "Parent Relationship"?: string;
  readonly "Subplan Name"?: string;
  readonly "Node Type": string;
  readonly "Schema"?: string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Estimates the cost of a plan that runs to its end, in the planner's unit. The planner assumes that LIMIT and
 * EXISTS stop their input early and counts only that part. This function counts the whole input, as often as it
 * is read.
 */
export function fullCost(plan: PlanNode): number {
  const text = JSON.stringify(plan);
  const mostRows = Math.max(...getNodes(plan).map((it) => it["Plan Rows"]));
  const isExists = (name: string) => text.includes(`EXISTS(${name})`);
  const getCost = (node: PlanNode): number => {
    const children = node.Plans ?? [];
    const outer = children.find((it) => it["Parent Relationship"] === "Outer");
    const timesRead = (child: PlanNode) => {
      if (child["Parent Relationship"] === "SubPlan") return mostRows;
      const isInner = child["Parent Relationship"] === "Inner";
      return isInner && node["Node Type"] === "Nested Loop" ? outer?.["Plan Rows"] ?? 1 : 1;
    };
    let cost = node["Total Cost"];
    for (const child of children) {
      const full = getCost(child);
      const counted = isExists(child["Subplan Name"] ?? "") ? 0 : child["Total Cost"];
      cost = Math.max(cost + (full - counted) * timesRead(child), full);
    }
    return cost;
  };
  return getCost(plan);
}

/** Returns the tables that a plan reads, with their schemas, those behind views included. */
export function getTables(plan: PlanNode): { schema: string; name: string }[] {
  return getNodes(plan).flatMap((it) =>
    it["Relation Name"] === undefined ? [] : { schema: it.Schema ?? "", name: it["Relation Name"] }
  );
}

function getNodes(plan: PlanNode): PlanNode[] {
  return [plan, ...(plan.Plans ?? []).flatMap(getNodes)];
}
