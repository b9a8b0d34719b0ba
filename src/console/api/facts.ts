/** What the server told this page before anybody signed in. */
interface Facts {
  readonly auth: boolean;
  readonly oidc: boolean;
  readonly version: string;
  readonly language: "fr" | "en";
}

export const facts: Facts = JSON.parse(document.getElementById("facts")?.textContent ?? "{}");

/** Of this answer: styles that are made in the browser carry it. */
export const nonce: string = document.getElementById("facts")?.nonce ?? "";

// Where what locks the page behind a dialog looks for it.
Object.assign(globalThis, { __webpack_nonce__: nonce });
