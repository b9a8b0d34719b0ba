/** An expression as a tree; nothing of it is ever run as code. */
export type Tree =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  | { readonly kind: "path"; readonly path: ExpressionPath }
  | { readonly kind: "not" | "minus"; readonly of: Tree }
  | {
    readonly kind: "pair";
    readonly operator: Operator;
    readonly left: Tree;
    readonly right: Tree;
  };

/** `steps.find.rows[0].order_no`: names and places in lists. */
export type ExpressionPath = readonly (string | number)[];

export type Operator =
  | "||"
  | "&&"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

/** A text with places in it: `Closed {steps.close.count} of {params.day}`. */
export type TextTemplate = readonly (string | Tree)[];

/** Returns every path an expression reads. */
export function collectPaths(tree: Tree): ExpressionPath[] {
  switch (tree.kind) {
    case "value":
      return [];
    case "path":
      return [tree.path];
    case "pair":
      return [...collectPaths(tree.left), ...collectPaths(tree.right)];
    default:
      return collectPaths(tree.of);
  }
}
