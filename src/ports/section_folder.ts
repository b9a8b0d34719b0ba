/** Sections as files of a folder: `connectors.yaml`, `i18n/fr.yaml`. */
export interface SectionFolder {
  /** Texts by the name of their section, whatever is one; `refused` for a file that is no UTF-8 text. */
  read(): Promise<Map<string, string>>;
  /** Writes a file atomically; without a text it is removed. */
  write(name: string, text: string | undefined): Promise<void>;
}
