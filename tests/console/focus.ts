/** Focused element. */
export interface Focused {
  readonly name: string;
  readonly role: string;
  /** True if it is inside the window and looks different with the focus. */
  readonly isVisible: boolean;
}

/**
 * A field changes its border color, an editor has an outline around it, other elements have their own
 * outline.
 */
export const FOCUSED = `(() => {
  const it = document.activeElement;
  if (!it || it === document.body) return null;
  const label = it.getAttribute("aria-label") ?? it.labels?.[0]?.textContent ?? it.innerText ?? "";
  const place = it.getBoundingClientRect();
  const plain = document.body.appendChild(document.createElement("hr"));
  plain.style.borderColor = "var(--mantine-color-default-border)";
  const field = it.closest(".mantine-Input-input, .mantine-PasswordInput-input");
  for (const change of field?.getAnimations() ?? []) change.finish(); // the color transition takes 100 ms
  const bordered = field && getComputedStyle(field).borderTopColor !== getComputedStyle(plain).borderTopColor;
  plain.remove();
  const framed = it.closest(".cm-editor") ?? it;
  const outlined = it.matches(":focus-visible") && getComputedStyle(framed).outlineStyle === "solid";
  return {
    name: label.trim().split("\\n")[0].replace(/ \\*$/, ""),
    role: it.getAttribute("role") ?? it.localName,
    isVisible: place.bottom > 0 && place.top < innerHeight && (outlined || bordered),
  };
})()`;
