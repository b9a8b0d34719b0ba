/** Files of the interactive API view, by name. */
export interface Assets {
  /** Undefined for a name that is not one of them. */
  read(name: string): Promise<string | undefined>;
}
