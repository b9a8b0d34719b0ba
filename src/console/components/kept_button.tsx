import { type ComponentProps, type MouseEvent, useState } from "react";

/**
 * Base of every button (`theme.ts`). While briefly disabled during its work, it keeps the focus, which
 * browsers would otherwise reset to the top of the page. A held key presses it only once, so that the key
 * does not also answer the dialog it opened. The second click of a double click submits no form.
 */
export function KeptButton(
  { disabled, type = "button", onClick, onKeyDown, onFocus, onBlur, ...others }: ComponentProps<
    "button"
  >,
) {
  const [isFocused, setFocused] = useState(false);
  const isHeld = Boolean(disabled) && isFocused;
  return (
    <button
      {...others}
      type={type}
      disabled={Boolean(disabled) && !isHeld}
      {...isHeld && { "aria-disabled": true }}
      onClick={isHeld ? nothing : (it) => {
        if (type === "submit" && it.detail > 1) return it.preventDefault();
        onClick?.(it);
      }}
      onKeyDown={(it) => {
        if (it.repeat && it.key === "Enter") it.preventDefault();
        onKeyDown?.(it);
      }}
      onFocus={(it) => {
        setFocused(true);
        onFocus?.(it);
      }}
      onBlur={(it) => {
        setFocused(false);
        onBlur?.(it);
      }}
    />
  );
}

/** Prevents the click and the submission of its form. */
function nothing(event: MouseEvent) {
  event.preventDefault();
}
