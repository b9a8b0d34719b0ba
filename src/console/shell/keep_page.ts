/**
 * Prevents the browser from opening a file that is dropped outside a drop zone, which would discard the page
 * with its input.
 */
export function keepPage(): void {
  const keep = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", keep);
  addEventListener("drop", keep);
}
