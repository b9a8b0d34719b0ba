const OF_THIS_MACHINE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Returns true if only browsers on the product's machine can open this URL. */
export function isOfThisMachine(url: string): boolean {
  return OF_THIS_MACHINE.test(new URL(url).hostname);
}

/** Address of the product for examples: the address of this page, unless other machines cannot open it. */
export function getExampleOrigin(): string {
  const { origin = "http://localhost" } = globalThis.location ?? {};
  return isOfThisMachine(origin) ? "https://passerelle.company.com" : origin;
}
