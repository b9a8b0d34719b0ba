import { lazy, Suspense } from "react";
import type { Marked } from "./editor/xml_view.tsx";

const XmlView = lazy(() => import("./editor/xml_view.tsx"));

/** XML document with marked lines. The editor is loaded on first use. */
export function Source(props: Marked) {
  return (
    <Suspense fallback={<div className="ps-source" />}>
      <XmlView {...props} />
    </Suspense>
  );
}

/** Decodes bytes in the encoding that the document declares; UTF-8 if that is missing or invalid. */
export function textOfXml(bytes: Uint8Array): string {
  const [first = 0, second = 0] = bytes;
  const wide = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : undefined;
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const said = /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1];
  try {
    return new TextDecoder(wide ?? said ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
