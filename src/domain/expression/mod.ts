export { evaluate, fill, isTrue, type Names, sizeOf, textOf, type Value } from "./evaluate.ts";
export { parseExpression, parseTemplate } from "./parse.ts";
export { type Path, pathsOf, type Template, type Tree } from "./tree.ts";
