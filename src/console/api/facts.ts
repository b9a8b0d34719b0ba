/** Facts that the server writes into the page before sign-in. */
interface Facts {
  readonly auth: boolean;
  readonly oidc: boolean;
  readonly version: string;
  readonly sending: boolean;
  readonly model: boolean;
  /** Nobody has signed in to this installation yet. */
  readonly unused: boolean;
  /** No account has the role of administrators. */
  readonly adminless: boolean;
  readonly language: "fr" | "en";
}

export const facts: Facts = JSON.parse(document.getElementById("facts")?.textContent ?? "{}");

/** CSP nonce of this page, needed by styles that the browser creates. */
export const nonce: string = document.getElementById("facts")?.nonce ?? "";

// The library that locks scrolling behind a dialog reads its nonce from this global.
Object.assign(globalThis, { __webpack_nonce__: nonce });
