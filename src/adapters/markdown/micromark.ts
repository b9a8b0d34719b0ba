import type { Markdown } from "#src/ports/markdown.ts";

/** HTML of the writer is shown as text, which the library does by itself; pictures would tell others who reads. */
const WITHOUT = ["htmlFlow", "htmlText", "labelStartImage", "definition"];

/** CommonMark; addresses of other schemes than web and mail lead nowhere. */
export const micromarkMarkdown: Markdown = async (text) => {
  const { micromark } = await import("micromark"); // where nobody writes any, nobody holds it
  return micromark(text, { extensions: [{ disable: { null: WITHOUT } }] });
};
