import { onLeft } from "../api/session.ts";

/** Files that the reader chose on one page for the next page. */
interface HandedFiles {
  readonly files: readonly File[];
  /** The next page shows at once what would happen to them. */
  readonly isPreviewed: boolean;
}

const NOTHING: HandedFiles = { files: [], isPreviewed: false };

let handed = NOTHING;
/** Adds files to the page that already shows the passed ones. */
let taker: ((files: readonly File[]) => void) | undefined;
onLeft(clearHandedFiles);

/**
 * Passes files that the reader chose on one page to the next page. Files passed before it opens stay, and an open page
 * receives them at once.
 */
export function handFiles(
  files: readonly File[],
  { isPreviewed = false }: { readonly isPreviewed?: boolean } = {},
): void {
  if (taker) return taker(files);
  handed = { files: [...handed.files, ...files], isPreviewed: isPreviewed || handed.isPreviewed };
}

/** Returns the passed files. React may repeat a render, so reading them does not clear them. */
export function readHandedFiles(): HandedFiles {
  return handed;
}

/** Forgets the passed files, since the page shows them, and gives it later ones. Returns a function that ends this. */
export function takeHandedFiles(add: (files: readonly File[]) => void): () => void {
  clearHandedFiles();
  taker = add;
  return () => void (taker = undefined);
}

function clearHandedFiles(): void {
  handed = NOTHING;
}
