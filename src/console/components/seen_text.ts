import { Fragment as several, jsx as draw, jsxs as drawAll } from "react/jsx-runtime";

/** As React has it. */
export const Fragment = several;

/**
 * What every element of the console is made by, those of the packages too (`bundle.ts` puts it in the place of React's own): a sign
 * that turns the direction of writing is shown by its number. As it asks to be shown, an amount or a number beside it would be read
 * in another order than it has, and nobody would see why.
 */
export const jsx: typeof draw = (type, props, key) => draw(type, seen(props), key);
/** The same of several children. */
export const jsxs: typeof drawAll = (type, props, key) => drawAll(type, seen(props), key);

/** Beside them only the mark of left-to-right is known, which turns nothing here. */
const TURNING = "[\\u061C\\u200F\\u202A-\\u202E\\u2066-\\u2069]";
const ANY = new RegExp(TURNING);
const EACH = new RegExp(TURNING, "g");

type Props = Parameters<typeof draw>[1];

/** The same object where nothing turns, as almost always: this is passed by every element that is drawn. */
function seen(props: Props): Props {
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
