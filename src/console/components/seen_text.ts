import { Fragment as several, jsx as draw, jsxs as drawAll } from "react/jsx-runtime";

/** React's fragment. */
export const Fragment = several;

/**
 * Creates elements for the whole console, including packages: `bundle.ts` replaces React's function by this
 * one. It shows signs that change the writing direction by their code. Otherwise they could silently reorder
 * an amount or number next to them.
 */
export const jsx: typeof draw = (type, props, key) => draw(type, markSeen(props), key);
/** Creates elements with several children, in the same way. */
export const jsxs: typeof drawAll = (type, props, key) => drawAll(type, markSeen(props), key);

/**
 * Characters that change the direction. The left-to-right mark is omitted, since it changes nothing here.
 */
const TURNING = "[\\u061C\\u200F\\u202A-\\u202E\\u2066-\\u2069]";
const ANY = new RegExp(TURNING);
const EACH = new RegExp(TURNING, "g");

type Props = Parameters<typeof draw>[1];

/** Returns the same object if nothing changes, which is the usual case: every element passes here. */
function markSeen(props: Props): Props {
  const { children } = (props ?? {}) as { children?: unknown };
  if (Array.isArray(children) ? !children.some(turns) : !turns(children)) return props;
  const shown = Array.isArray(children) ? children.map(seenText) : seenText(children);
  return { ...props as object, children: shown };
}

function turns(child: unknown): child is string {
  return typeof child === "string" && ANY.test(child);
}

function seenText(child: unknown): unknown {
  if (!turns(child)) return child;
  return child.replace(
    EACH,
    (it) => `[U+${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
