export {
  computeSize,
  evaluate,
  fill,
  formatText,
  isTrue,
  type Names,
  type Value,
} from "./evaluate.ts";
export { parseExpression, parseTemplate } from "./parse.ts";
export { collectPaths, type ExpressionPath, type TextTemplate, type Tree } from "./tree.ts";
