/** Returns whether a value of `Accept-Encoding` names the encoding and does not refuse it (`q=0`). */
export function takesEncoding(accepted: string, encoding: string): boolean {
  return accepted.split(",").some((it) => {
    const [name, ...parameters] = it.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}
