import type { Expr } from "./ast.ts";
import { isAtomicTypeName } from "./atomic.ts";
import { FN, XS } from "./namespaces.ts";
import { localOf, namespaceOf } from "./parser.ts";

/** Functions whose time and result are bounded by the size of their arguments. */
const LINEAR: ReadonlySet<string> = new Set([
  ..."true false not boolean empty exists count".split(" "),
  ..."string concat string-join string-length normalize-space".split(" "),
  ..."upper-case lower-case translate substring starts-with ends-with contains".split(" "),
  ..."number abs floor ceiling round".split(" "),
]);

/** One character, escape or class, once or repeated: what texts are split at, and nothing to backtrack over. */
const SEPARATOR = /^(?:\\?[^\\()[\]{}*+?|.^$]|\\[sdw|.\-^?*+{}()[\]$\\]|\[[^\\[\]^]+\])\+?$/;

/**
 * Whether an expression may be evaluated while a rule set is compiled: literals, and operators and functions over them
 * that cannot take longer than the text they are written with. No variable (its value may be larger than its name), no
 * loop or range, no list compared with a list, no regular expression but a separator.
 */
export function isFoldable(expr: Expr): boolean {
  switch (expr.t) {
    case "literal":
    case "constants":
      return true;
    case "sequence":
    case "or":
    case "and":
      return expr.items.every(isFoldable);
    case "arithmetic":
    case "value":
      return isFoldable(expr.left) && isFoldable(expr.right);
    case "negate":
    case "cast":
    case "castable":
      return isFoldable(expr.operand);
    case "if":
      return [expr.when, expr.then, expr.otherwise].every(isFoldable);
    case "call":
      return isFoldableCall(expr) && expr.args.every(isFoldable);
    default:
      return false;
  }
}

function isFoldableCall({ name, args }: Extract<Expr, { t: "call" }>): boolean {
  const [local, ns] = [localOf(name), namespaceOf(name)];
  if (ns === XS) return isAtomicTypeName(local);
  if (ns !== FN) return false;
  const [, separator, flags] = args;
  return LINEAR.has(local) ||
    local === "tokenize" && flags === undefined && separator?.t === "literal" &&
      SEPARATOR.test(String(separator.value));
}
