import { isFree, isSecret } from "#src/domain/template/secrets.ts";
import { SECRET_MASK, type Template } from "#src/domain/template/template.ts";
import { AppError, sentenceOf } from "#src/kernel/errors.ts";
import { isSealed, type Vault } from "#src/ports/vault.ts";

/** What leaves the product: secrets masked, and the list of them where there is one. */
export function masked(template: Template): Template {
  const { secrets = [], ...shown } = withProperties(
    template,
    (name, value) => value && (isSecret(template, name) || isSealed(value)) ? SECRET_MASK : value,
  );
  return { ...shown, ...secrets.length > 0 && { secrets } };
}

/**
 * What is stored: secrets sealed; the mask sent back keeps what was stored before. What is sealed already, or is the mask of
 * something that is, is a secret whatever the list says.
 */
export function sealed(
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
    if (value === SECRET_MASK) return moved(before, { name, vault, to: template.name });
    const context = contextOf(template.name, name);
    return isSealed(value) ? bound(value, { vault, context }) : vault.seal(value, context);
  });
}

/** Secrets of a stored template by the key of today. Throws AppError `unavailable` for one that does not open. */
export function renewed(template: Template, vault: Vault): Template {
  return withProperties(
    template,
    (name, value) =>
      isSecret(template, name) && isSealed(value)
        ? vault.renewed(value, contextOf(template.name, name))
        : value,
  );
}

/** A secret that somebody had sealed beforehand. */
function bound(value: string, { vault, context }: { vault: Vault; context: string }): string {
  try {
    return vault.renewed(value, context);
  } catch (error) {
    throw new AppError("refused", sentenceOf(error), { cause: error });
  }
}

/** What the product works with. */
export function opened(template: Template, vault: Vault): Template {
  return withProperties(
    template,
    (name, value) =>
      isSecret(template, name) && isSealed(value)
        ? vault.open(value, contextOf(template.name, name))
        : value,
  );
}

function moved(
  before: Template | undefined,
  { name, vault, to }: { name: string; vault: Vault; to: string },
): string {
  const stored = before?.properties[name] ?? "";
  if (!before || !isSealed(stored) || before.name === to) return stored;
  return vault.seal(vault.open(stored, contextOf(before.name, name)), contextOf(to, name));
}

function contextOf(template: string, property: string): string {
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
