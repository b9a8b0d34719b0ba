import type { Expr } from "./ast.ts";
import { isAtomicTypeName } from "./atomic.ts";
import { FN, XS } from "./namespaces.ts";
import { getLocal, getNamespace } from "./parser.ts";

/** Functions whose time and result are bounded by the size of their arguments. */
const LINEAR: ReadonlySet<string> = new Set([
  ..."true false not boolean empty exists count".split(" "),
  ..."string concat string-join string-length normalize-space".split(" "),
  ..."upper-case lower-case translate substring starts-with ends-with contains".split(" "),
  ..."number abs floor ceiling round".split(" "),
]);

/** One character, escape or class, once or repeated: a separator without backtracking. */
const SEPARATOR = /^(?:\\?[^\\()[\]{}*+?|.^$]|\\[sdw|.\-^?*+{}()[\]$\\]|\[[^\\[\]^]+\])\+?$/;

/**
 * Checks whether an expression may be evaluated while a rule set is compiled. That is safe for literals, and for
 * operators and functions whose cost is bounded by the length of their source. Excluded are variables (their
 * value may be larger than their name), loops, ranges, comparisons of two lists, and regular expressions other
 * than separators.
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
  const [local, ns] = [getLocal(name), getNamespace(name)];
  if (ns === XS) return isAtomicTypeName(local);
  if (ns !== FN) return false;
  const [, separator, flags] = args;
  return LINEAR.has(local) ||
    local === "tokenize" && flags === undefined && separator?.t === "literal" &&
      SEPARATOR.test(String(separator.value));
}
