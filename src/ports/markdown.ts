/** Text people write with Markdown, as HTML nobody can be attacked by: no HTML of the writer, no addresses but web and mail, no pictures. */
export type Markdown = (text: string) => Promise<string>;
