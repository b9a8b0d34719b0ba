import type { Markdown } from "#src/ports/markdown.ts";

/**
 * Disabled constructs. Without them the library shows HTML as text; pictures would reveal the reader to other
 * sites.
 */
const WITHOUT = ["htmlFlow", "htmlText", "labelStartImage", "definition"];

/** CommonMark; addresses of other schemes than web and mail lead nowhere. */
export const micromarkMarkdown: Markdown = async (text) => {
  const { micromark } = await import("micromark"); // loaded only when Markdown is used
  return micromark(text, { extensions: [{ disable: { null: WITHOUT } }] });
};
