/** Returns true for a file that is XML by its name or type. */
export function isXml({ name, type }: File): boolean {
  return /\.xml$/i.test(name) || /^(text|application)\/xml$/.test(type);
}
