import { type ComponentProps, type MouseEvent, useState } from "react";

/**
 * What every button is made of (`theme.ts`). One that can do nothing for a while, since its work goes on or has just been done, keeps the
 * focus it has: a browser takes it from what is disabled and gives it to nobody, and who uses the keyboard would begin at the top again.
 * A key that is held presses it once: what it opened has the focus by then, and would be answered by the same key. Of a double click
 * the second one sends no form: what the first sent may be done by then.
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

/** Neither is the form submitted it belongs to. */
function nothing(event: MouseEvent) {
  event.preventDefault();
}
