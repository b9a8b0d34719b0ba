import { Modal, type ModalProps } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { defineWords, useWords } from "../i18n/language.ts";
import { focusContent } from "./focus.ts";

const WORDS = defineWords({ en: { close: "Close" }, fr: { close: "Fermer" } });

/**
 * Dialog. The focus starts at `data-autofocus`, else at the first editable field, else at the first button,
 * which is harmless. It never starts at the close button or behind the dialog.
 */
export function Dialog({ children, ...look }: Omit<ModalProps, "closeButtonProps">) {
  const words = useWords(WORDS);
  return (
    <Modal {...look} closeButtonProps={{ "aria-label": words.close }}>
      <Begun>{children}</Begun>
    </Modal>
  );
}

/** Returns true while any dialog is open. Pasted or dropped files are then not for the page. */
export function isBehindDialog(): boolean {
  return document.querySelector("[role=dialog][aria-modal=true]") !== null;
}

const CHOSEN = "[data-autofocus]:not(:disabled)";
const WRITTEN =
  "input:not([readonly], :disabled, [type=hidden]), textarea:not([readonly], :disabled)";
const FIELD = `${WRITTEN}, input[aria-haspopup]:not(:disabled, [data-variant=filled])`;
const BUTTON = ":not([role=alert] *):is(button, [role=tab]):not(:disabled)";

function Begun({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const within = box.current;
    if (!within) return;
    const first = (kind: string) => [...within.querySelectorAll<HTMLElement>(kind)].find(isShown);
    const acts = ["keydown", "pointerdown"] as const;
    const end = () => {
      observer.disconnect();
      for (const it of acts) removeEventListener(it, end, true);
    };
    const begin = () => {
      const place = first(CHOSEN) ?? first(FIELD);
      if (place) end();
      (place ?? first(BUTTON))?.focus({ preventScroll: true });
    };
    // Content may load later; do not move the focus once the reader has begun.
    const observer = new MutationObserver(begin);
    observer.observe(within, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ["readonly", "disabled"],
    });
    for (const it of acts) addEventListener(it, end, true);
    const timer = setTimeout(() => setTimeout(begin)); // runs after Mantine, which focuses the close button first
    return () => {
      clearTimeout(timer);
      end();
      focusContent(); // unless the button that opened the dialog still exists
    };
  }, []);
  return <div ref={box}>{children}</div>;
}

const isShown = (it: HTMLElement) => it.checkVisibility({ visibilityProperty: true });
