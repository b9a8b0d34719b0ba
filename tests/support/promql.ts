/** Metric in an expression. */
interface Asked {
  readonly name: string;
  /** Labels in its braces, and those that the expression groups by. */
  readonly labels: readonly string[];
}

const AGGREGATIONS = new Set(["sum", "max", "min", "avg", "count", "topk"]);
const FUNCTIONS = new Set(["rate", "histogram_quantile", "abs", "absent"]);
const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|\d+(?:\.\d+)?(?:e\d+)?|[A-Za-z_][\w:]*|=~|!~|!=|==|>=|<=|\[\d+[smh]\]|[-+*/<>=(){},]/y;

/**
 * Parses the part of PromQL that we use: selectors, ranges, functions, aggregations with `by`, operators. `problem`
 * names the first position that cannot be parsed.
 */
export function readExpression(
  expr: string,
): { readonly metrics: readonly Asked[]; readonly problem?: string } {
  const metrics: { name: string; labels: string[] }[] = [];
  try {
    const tokens = getTokens(expr);
    const reader = { tokens, at: 0, metrics };
    operation(reader);
    if (reader.at < tokens.length) throw new Error(`"${tokens[reader.at]}" is not expected`);
    return { metrics };
  } catch (error) {
    return { metrics, problem: `${(error as Error).message} in ${expr}` };
  }
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
  readonly metrics: { name: string; labels: string[] }[];
}

function getTokens(expr: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < expr.length) {
    const at = TOKEN.lastIndex;
    const [found] = TOKEN.exec(expr) ?? [];
    if (found === undefined) throw new Error(`"${expr.slice(at, at + 10)}" is no word of PromQL`);
    if (found.trim()) tokens.push(found);
  }
  return tokens;
}

function operation(it: Reader): void {
  operand(it);
  while (/^([-+*/<>]|[<>=!]=|and|or|unless)$/.test(it.tokens[it.at] ?? "")) {
    it.at++;
    operand(it);
  }
}

function operand(it: Reader): void {
  const token = next(it);
  if (/^\d/.test(token)) return;
  if (token === "(") {
    operation(it);
    return expect(it, ")");
  }
  if (AGGREGATIONS.has(token)) return aggregation(it);
  if (FUNCTIONS.has(token)) return inParentheses(it);
  if (!/^[A-Za-z_]/.test(token)) throw new Error(`"${token}" is no operand`);
  selector(it, token);
}

function aggregation(it: Reader): void {
  const before = it.metrics.length;
  const by: string[] = [];
  if (it.tokens[it.at] === "by") {
    it.at++;
    expect(it, "(");
    do by.push(next(it)); while (it.tokens[it.at] === "," && it.at++ >= 0);
    expect(it, ")");
  }
  inParentheses(it);
  for (const metric of it.metrics.slice(before)) metric.labels.push(...by);
}

function inParentheses(it: Reader): void {
  expect(it, "(");
  operation(it);
  while (it.tokens[it.at] === ",") {
    it.at++;
    operation(it);
  }
  expect(it, ")");
}

function selector(it: Reader, name: string): void {
  const labels: string[] = [];
  if (it.tokens[it.at] === "{") {
    it.at++;
    while (it.tokens[it.at] !== "}") {
      labels.push(next(it));
      if (!/^(=|=~|!=|!~)$/.test(next(it))) throw new Error(`${name}{…} compares with = or =~`);
      if (!next(it).startsWith('"')) throw new Error(`${name}{…} compares with a text`);
      if (it.tokens[it.at] === ",") it.at++;
    }
    expect(it, "}");
  }
  if (it.tokens[it.at]?.startsWith("[")) it.at++;
  it.metrics.push({ name, labels });
}

function next(it: Reader): string {
  const token = it.tokens[it.at++];
  if (token === undefined) throw new Error("it breaks off");
  return token;
}

function expect(it: Reader, wanted: string): void {
  const token = next(it);
  if (token !== wanted) throw new Error(`"${wanted}" is expected, not "${token}"`);
}
