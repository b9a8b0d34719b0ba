import { isFree, isSecret } from "#src/domain/template/secrets.ts";
import { SECRET_MASK, type Template } from "#src/domain/template/template.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import { isSealed, type Vault } from "#src/ports/vault.ts";

/** Returns a template as users see it: with masked secrets and their list, if any. */
export function maskTemplate(template: Template): Template {
  const { secrets = [], ...shown } = withProperties(
    template,
    (name, value) => value && (isSecret(template, name) || isSealed(value)) ? SECRET_MASK : value,
  );
  return { ...shown, ...secrets.length > 0 && { secrets } };
}

/**
 * Returns a template as stored, with encrypted secrets; a mask keeps the stored value. Encrypted values and masks of
 * encrypted values count as secrets even if the list lacks them.
 */
export function sealTemplate(
  template: Template,
  { vault, before }: { vault: Vault; before?: Template | undefined },
): Template {
  const isSealedOne = (name: string, value: string) =>
    isSealed(value === SECRET_MASK ? before?.properties[name] ?? "" : value);
  const list = Object.entries(template.properties).filter(([name, value]) =>
    isFree(template, name) && (isSecret(template, name) || isSealedOne(name, value))
  );
  const whole = { ...template, secrets: list.map(([name]) => name) };
  return withProperties(whole, (name, value) => {
    if (!isSecret(whole, name) || !value) return value;
    if (value === SECRET_MASK) return moveSecret(before, { name, vault, to: template.name });
    const context = getContext(template.name, name);
    return isSealed(value) ? bindSecret(value, { vault, context }) : vault.seal(value, context);
  });
}

/**
 * Encrypts the secrets of a stored template with the current key. Throws AppError `unavailable` for a secret that
 * cannot be decrypted.
 */
export function renewTemplate(template: Template, vault: Vault): Template {
  return withProperties(
    template,
    (name, value) =>
      isSecret(template, name) && isSealed(value)
        ? vault.renewed(value, getContext(template.name, name))
        : value,
  );
}

/** Binds a secret that the user encrypted beforehand. */
function bindSecret(value: string, { vault, context }: { vault: Vault; context: string }): string {
  try {
    return vault.renewed(value, context);
  } catch (error) {
    throw new AppError("refused", toSentence(error), { cause: error });
  }
}

/** Returns a template with secrets in clear text. */
export function openTemplate(template: Template, vault: Vault): Template {
  return withProperties(
    template,
    (name, value) =>
      isSecret(template, name) && isSealed(value)
        ? vault.open(value, getContext(template.name, name))
        : value,
  );
}

function moveSecret(
  before: Template | undefined,
  { name, vault, to }: { name: string; vault: Vault; to: string },
): string {
  const stored = before?.properties[name] ?? "";
  if (!before || !isSealed(stored) || before.name === to) return stored;
  return vault.seal(vault.open(stored, getContext(before.name, name)), getContext(to, name));
}

function getContext(template: string, property: string): string {
  return `template ${template}, property ${property}`;
}

function withProperties(
  template: Template,
  map: (name: string, value: string) => string,
): Template {
  const properties = Object.entries(template.properties).map((
    [name, value],
  ) => [name, map(name, value)]);
  return { ...template, properties: Object.fromEntries(properties) };
}
