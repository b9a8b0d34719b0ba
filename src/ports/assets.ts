/** Files of the views of the API, by name. */
export interface Assets {
  /** Returns the text of a file; undefined for an unknown name. */
  read(name: string): Promise<string | undefined>;
}
