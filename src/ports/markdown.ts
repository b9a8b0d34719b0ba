/**
 * Converts users' Markdown to safe HTML: without HTML of the author, without links other than web and mail,
 * without pictures.
 */
export type Markdown = (text: string) => Promise<string>;
