/** The stylesheets that come with the product. */
export interface Stylesheets {
  /** Absolute path of `%APP_HOME%`. */
  readonly home: string;
  /** Checks for a stylesheet; `name` is relative to the home and may contain folders (`base/party.xsl`). */
  has(name: string): Promise<boolean>;
  /** Returns all stylesheets, with names relative to the home. */
  bundled(): Promise<readonly { readonly name: string; readonly content: Uint8Array }[]>;
}
