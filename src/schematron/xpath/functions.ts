import { type Builtin, type CallExpr, type FunctionCall } from "./arguments.ts";
import { isAtomicTypeName } from "./atomic.ts";
import type { Code } from "./code.ts";
import { compile } from "./compile.ts";
import { failAt, type StaticContext } from "./env.ts";
import { DATE_FUNCTIONS } from "./functions_dates.ts";
import { NODE_FUNCTIONS, SEQUENCE_FUNCTIONS } from "./functions_nodes.ts";
import { NUMBER_FUNCTIONS } from "./functions_numbers.ts";
import { TEXT_FUNCTIONS } from "./functions_text.ts";
import { FN, XS } from "./namespaces.ts";
import { castCode } from "./operators.ts";
import { getLocal, getNamespace } from "./parser.ts";

const BUILTINS: ReadonlyMap<string, Builtin> = new Map([
  ...TEXT_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...NODE_FUNCTIONS,
  ...SEQUENCE_FUNCTIONS,
  ...DATE_FUNCTIONS,
]);

/** Compiles a function call: of the schema, of XPath, or a constructor such as `xs:decimal()`. */
export function compileCall(expr: CallExpr, env: StaticContext): Code {
  const local = getLocal(expr.name);
  const ns = getNamespace(expr.name);
  const count = expr.args.length;
  const user = env.shared.functions.get(`${expr.name}#${count}`);
  const args = expr.args.map((arg) => compile(arg, env));
  if (user !== undefined) return user.compile(args);
  const [first] = args;
  if (ns === XS && isAtomicTypeName(local) && count === 1 && first !== undefined) {
    return castCode(first, { name: local, occurs: "optional" });
  }
  const builtin = ns === FN ? BUILTINS.get(local) : undefined;
  if (builtin === undefined) failUnknown(expr, env);
  if (count < builtin.min || count > builtin.max) {
    const range = builtin.min === builtin.max ? `${builtin.min}` : `${builtin.min}–${builtin.max}`;
    failAt(
      expr,
      `${local}() takes ${range} arguments, not ${count}`,
      `${local}() prend ${range} arguments et non ${count}`,
    );
  }
  const depends = args.reduce((bits, code) => bits | code.depends, 0);
  const call: FunctionCall = { expr, env, name: local, args, depends };
  return builtin.compile(call);
}

function failUnknown(expr: CallExpr, env: StaticContext): never {
  const local = getLocal(expr.name);
  const ns = getNamespace(expr.name);
  const count = expr.args.length;
  const arities = [...env.shared.functions.keys()]
    .filter((key) => key.startsWith(`${expr.name}#`))
    .map((key) => key.slice(key.indexOf("#") + 1));
  if (arities.length > 0) {
    const list = arities.join(", ");
    failAt(
      expr,
      `${local}() is declared with ${list} parameters, not ${count}`,
      `${local}() est déclarée avec ${list} paramètres et non ${count}`,
    );
  }
  const shown = ns === FN ? `${local}()` : `${local}() of ${ns}`;
  const fr = ns === FN ? `${local}()` : `${local}() de ${ns}`;
  failAt(expr, `the function ${shown} is unknown`, `la fonction ${fr} est inconnue`);
}
