import {
  type PDFDocument,
  PDFName,
  PDFOperator,
  PDFOperatorNames,
  type PDFPage,
  type PDFRef,
} from "@cantoo/pdf-lib";
import type { TagRole } from "#src/invoice_page/mod.ts";

/** Content of a page inside a structure element. */
interface MarkedContent {
  readonly page: number;
  readonly id: number;
}

interface Tag {
  readonly role: Exclude<TagRole, "Artifact"> | "Document";
  readonly kids: (MarkedContent | Tag)[];
}

/** Structure of a document while it is drawn. */
export interface Tags {
  readonly root: Tag;
  /** Open elements. `Artifact` is repeated content that screen readers skip. */
  readonly open: (Tag | "Artifact")[];
  /** Number of marked contents per page. */
  readonly counts: number[];
}

export const createTags = (): Tags => ({
  root: { role: "Document", kids: [] },
  open: [],
  counts: [],
});

/** Opens an element inside the innermost open one. */
export function beginTag({ root, open }: Tags, role: TagRole): void {
  const parent = open.at(-1) ?? root;
  if (role === "Artifact" || parent === "Artifact") return void open.push("Artifact");
  const tag: Tag = { role, kids: [] };
  parent.kids.push(tag);
  open.push(tag);
}

export function endTag({ open }: Tags): void {
  open.pop();
}

/** Returns the operator that begins text on a page. Text outside of all elements gets its own element. */
export function beginContent(
  tags: Tags,
  page: number,
  role: "H1" | "H2" | "P" = "P",
): PDFOperator {
  const isAlone = tags.open.length === 0;
  if (isAlone) beginTag(tags, role);
  const tag = tags.open.at(-1) ?? tags.root;
  if (isAlone) endTag(tags);
  if (tag === "Artifact") return beginArtifact();
  const id = tags.counts[page] ?? 0;
  tags.counts[page] = id + 1;
  tag.kids.push({ page, id });
  return PDFOperator.of(PDFOperatorNames.BeginMarkedContentSequence, [
    `/${tag.role}`,
    `<</MCID ${id}>>`,
  ]);
}

/** Returns the operator that begins decoration. */
export const beginArtifact = () =>
  PDFOperator.of(PDFOperatorNames.BeginMarkedContent, ["/Artifact"]);
export const endContent = () => PDFOperator.of(PDFOperatorNames.EndMarkedContent);

/** Writes the structure tree of a drawn document. `breathe` lets other work run in between. */
export async function writeTags(
  document: PDFDocument,
  { root, counts }: Tags,
  { pages, breathe }: { pages: readonly PDFPage[]; breathe: () => Promise<void> },
): Promise<void> {
  const { context, catalog } = document;
  const parents: PDFRef[][] = pages.map(() => []);
  const rootRef = context.nextRef();
  const write = async (tag: Tag, parent: PDFRef): Promise<PDFRef> => {
    const own = context.nextRef();
    const kids = [];
    for (const kid of tag.kids) {
      if ("role" in kid) kids.push(await write(kid, own));
      else {
        kids.push(context.obj({ Type: "MCR", Pg: pages[kid.page]?.ref, MCID: kid.id }));
        const onPage = parents[kid.page];
        if (onPage) onPage[kid.id] = own;
      }
    }
    const scope = tag.role === "TH" ? { A: { O: "Table", Scope: "Column" } } : {};
    context.assign(
      own,
      context.obj({ Type: "StructElem", S: tag.role, P: parent, K: kids, ...scope }),
    );
    await breathe();
    return own;
  };
  const top = await write(root, rootRef);
  const numbers = pages.flatMap((page, at) => {
    page.node.set(PDFName.of("StructParents"), context.obj(at));
    page.node.set(PDFName.of("Tabs"), PDFName.of("S"));
    return [context.obj(at), context.obj((parents[at] ?? []).slice(0, counts[at] ?? 0))];
  });
  context.assign(
    rootRef,
    context.obj({
      Type: "StructTreeRoot",
      K: top,
      ParentTree: context.obj({ Nums: numbers }),
      ParentTreeNextKey: pages.length,
    }),
  );
  catalog.set(PDFName.of("StructTreeRoot"), rootRef);
  catalog.set(PDFName.of("MarkInfo"), context.obj({ Marked: true }));
}
