/** Devices of Windows; its superscript digits count, and so do spaces before the extension. */
const DEVICE = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Checks that a name of a file or a folder stays the same on Windows, which drops a dot or a space at the end. */
export function isPortable(name: string): boolean {
  return !/[. ]$/.test(name) && !DEVICE.test(name);
}
