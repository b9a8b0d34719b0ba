import { lazy, Suspense } from "react";
import { sized } from "./editor/sized.ts";
import type { EditedText } from "./editor/text_editor.tsx";

const Loaded = lazy(() => import("./editor/text_editor.tsx"));

/** An editor of a text, loaded when the first one is shown. */
export function TextEditor(props: EditedText) {
  return (
    <Suspense fallback={<div className="ps-source" style={sized(props.height)} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
