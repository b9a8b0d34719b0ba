/** A browser opens what is dropped beside a place for it, and the page with all that was typed would be gone. */
export function keepPage(): void {
  const keep = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "none";
  };
  addEventListener("dragover", keep);
  addEventListener("drop", keep);
}
