import { lazy, Suspense } from "react";
import { toHeightStyle } from "./editor/height_style.ts";
import type { EditedText } from "./editor/text_editor.tsx";

const Loaded = lazy(() => import("./editor/text_editor.tsx"));

/** Text editor, loaded on first use. */
export function TextEditor(props: EditedText) {
  return (
    <Suspense fallback={<div className="ps-source" style={toHeightStyle(props.height)} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
