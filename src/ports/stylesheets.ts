/** The stylesheets that come with the product. */
export interface Stylesheets {
  /** Where `%APP_HOME%` leads; an absolute path. */
  readonly home: string;
  /** `name` is relative to the home and may hold folders (`base/party.xsl`). */
  has(name: string): Promise<boolean>;
  /** All, named likewise. */
  bundled(): Promise<readonly { readonly name: string; readonly content: Uint8Array }[]>;
}
