/**
 * Whether people give this name to secrets. A proposal where somebody may say otherwise, and a net below what is kept in a log
 * or in the audit; what a template seals is decided by its catalogue and its list.
 */
export function soundsSecret(name: string): boolean {
  return /(password|passphrase|secret|token|api[-_]?key|private[-_]?key)$/i.test(name);
}
