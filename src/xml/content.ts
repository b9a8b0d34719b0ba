import { COMMENT, INSTRUCTION, type LeafKind, TEXT } from "./kinds.ts";
import { decodeReferences } from "./references.ts";

/** Takes the next text, comment or instruction; `order` is its offset in the source. */
type TakeLeaf = (kind: LeafKind, order: number, text: string, target?: string) => void;

/** Reads texts, comments and instructions between two tags. The source was checked when it was parsed. */
export function readGap(
  source: string,
  gap: { readonly from: number; readonly to: number },
  take: TakeLeaf,
): void {
  let text = "";
  let textStart = gap.from;
  const flush = () => {
    if (text !== "") take(TEXT, textStart, text);
    text = "";
  };
  for (let at = gap.from; at < gap.to;) {
    if (text === "") textStart = at;
    if (source.startsWith("<![CDATA[", at)) {
      const end = source.indexOf("]]>", at + 9);
      text += source.slice(at + 9, end);
      at = end + 3;
    } else if (source.startsWith("<!--", at)) {
      flush();
      const end = source.indexOf("-->", at + 4);
      take(COMMENT, at, source.slice(at + 4, end));
      at = end + 3;
    } else if (source.charCodeAt(at) === 60) {
      flush();
      const end = source.indexOf("?>", at + 2);
      const { target, data } = instructionParts(source.slice(at + 2, end));
      take(INSTRUCTION, at, data, target);
      at = end + 2;
    } else {
      const next = source.indexOf("<", at);
      const end = next < 0 || next > gap.to ? gap.to : next;
      text += plain(source.slice(at, end));
      at = end;
    }
  }
  flush();
}

function plain(raw: string): string {
  if (!raw.includes("&")) return raw;
  const decoded = decodeReferences(raw);
  return typeof decoded === "string" ? decoded : raw;
}

/** Splits the text between `<?` and `?>` into target and data (leading white space of the data dropped). */
export function instructionParts(content: string): { target: string; data: string } {
  const space = content.search(/[ \t\n]/);
  return space < 0
    ? { target: content, data: "" }
    : { target: content.slice(0, space), data: content.slice(space).replace(/^[ \t\n]+/, "") };
}
