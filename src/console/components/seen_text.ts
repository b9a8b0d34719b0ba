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
const TURNING = /[\u061C\u200F\u202A-\u202E\u2066-\u2069]/g;

type Props = Parameters<typeof draw>[1];

function seen(props: Props): Props {
  const { children } = (props ?? {}) as { children?: unknown };
  const shown = Array.isArray(children) ? children.map(seenText) : seenText(children);
  const isSame = Array.isArray(shown)
    ? shown.every((it, at) => it === (children as unknown[])[at])
    : shown === children;
  return isSame ? props : { ...props as object, children: shown };
}

function seenText(child: unknown): unknown {
  if (typeof child !== "string" || child.search(TURNING) < 0) return child;
  return child.replace(
    TURNING,
    (it) => `[U+${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
