/** Returns the username that an e-mail address suggests: the part before the @. */
export function suggestUsername(email: string): string {
  const [local = ""] = email.trim().toLowerCase().split(/[@+]/);
  return local.normalize("NFD").replace(/\p{M}/gu, "").replace(/[^a-z0-9._-]/g, "");
}
