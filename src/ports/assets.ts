/** Files of the views of the API, by name. */
export interface Assets {
  /** Undefined for a name that is not one of them. */
  read(name: string): Promise<string | undefined>;
}
