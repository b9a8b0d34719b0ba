/** An expression as a tree; nothing of it is ever run as code. */
export type Tree =
  | { readonly kind: "value"; readonly value: string | number | boolean | null }
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "not" | "minus"; readonly of: Tree }
  | {
    readonly kind: "pair";
    readonly operator: Operator;
    readonly left: Tree;
    readonly right: Tree;
  };

/** `steps.find.rows[0].order_no`: names and places in lists. */
export type Path = readonly (string | number)[];

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
export type Template = readonly (string | Tree)[];

/** Every path an expression reads. */
export function pathsOf(tree: Tree): Path[] {
  switch (tree.kind) {
    case "value":
      return [];
    case "path":
      return [tree.path];
    case "pair":
      return [...pathsOf(tree.left), ...pathsOf(tree.right)];
    default:
      return pathsOf(tree.of);
  }
}
