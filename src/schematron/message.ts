import type { Blame } from "./blame.ts";
import type { MessagePart } from "./model.ts";
import { toText } from "./xpath/atomic.ts";
import { collector } from "./xpath/code.ts";
import type { StaticContext } from "./xpath/env.ts";
import { toFault } from "./xpath/faults.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";
import { isNode } from "./xpath/items.ts";

/** Builds a text at the node of a finding; white space is collapsed. */
export type MessageBuilder = (frame: EvaluationFrame) => string;

/** Placeholder for a value that cannot be computed. */
const UNKNOWN = "?";

export function compileMessage(
  parts: readonly MessagePart[],
  env: StaticContext,
  blame: Blame,
): MessageBuilder {
  if (parts.every(({ part }) => part === "text")) {
    const text = oneLine(parts.map((it) => it.part === "text" ? it.text : "").join(""));
    return () => text;
  }
  const pieces = parts.map((part): MessageBuilder => {
    if (part.part === "text") return () => part.text;
    if (part.part === "value") {
      const items = collector(blame.compile(part.select, env).each);
      return (frame) => items(frame).map(toText).join(" ");
    }
    const nodes = part.path === undefined
      ? undefined
      : collector(blame.compile(part.path, env).each);
    return (frame) => {
      const node = nodes === undefined ? frame.item : nodes(frame)[0];
      return node !== undefined && isNode(node) && "qname" in node ? node.qname : "";
    };
  });
  return (frame) => oneLine(pieces.map((piece) => orUnknown(piece, frame)).join(""));
}

function oneLine(text: string): string {
  return isOneLine(text) ? text : text.replace(/\s+/g, " ").trim();
}

const SPACE = 32;
const NO_BREAK_SPACE = 160;
/** Lowest code point of the unusual characters that `\s` matches. */
const FIRST_ODD_SPACE = 0x1680;

/** Checks for single spaces between words only, as in nearly all texts; the check is faster than replacing them. */
function isOneLine(text: string): boolean {
  let before = SPACE;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= SPACE ? unit !== SPACE || before === SPACE : isOddSpace(unit)) return false;
    before = unit;
  }
  return before !== SPACE || text === "";
}

function isOddSpace(unit: number): boolean {
  return unit === NO_BREAK_SPACE ||
    (unit >= FIRST_ODD_SPACE && /\s/.test(String.fromCharCode(unit)));
}

function orUnknown(piece: MessageBuilder, frame: EvaluationFrame): string {
  const { item, position, last } = frame;
  try {
    return piece(frame);
  } catch (thrown) {
    toFault(thrown);
    frame.item = item;
    frame.position = position;
    frame.last = last;
    return UNKNOWN;
  }
}
