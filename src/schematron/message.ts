import type { Blame } from "./blame.ts";
import type { MessagePart } from "./model.ts";
import { textOf } from "./xpath/atomic.ts";
import { collector } from "./xpath/code.ts";
import type { Env } from "./xpath/env.ts";
import { faultOf } from "./xpath/faults.ts";
import type { Frame } from "./xpath/frame.ts";
import { isNode } from "./xpath/items.ts";

/** Builds a text at the node of a finding; white space is collapsed. */
export type Message = (frame: Frame) => string;

/** What stands for a value that cannot be computed. */
const UNKNOWN = "?";

export function compileMessage(parts: readonly MessagePart[], env: Env, blame: Blame): Message {
  if (parts.every(({ part }) => part === "text")) {
    const text = oneLine(parts.map((it) => it.part === "text" ? it.text : "").join(""));
    return () => text;
  }
  const pieces = parts.map((part): Message => {
    if (part.part === "text") return () => part.text;
    if (part.part === "value") {
      const items = collector(blame.compile(part.select, env).each);
      return (frame) => items(frame).map(textOf).join(" ");
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
  return text.replace(/\s+/g, " ").trim();
}

function orUnknown(piece: Message, frame: Frame): string {
  const { item, position, last } = frame;
  try {
    return piece(frame);
  } catch (thrown) {
    faultOf(thrown);
    frame.item = item;
    frame.position = position;
    frame.last = last;
    return UNKNOWN;
  }
}
