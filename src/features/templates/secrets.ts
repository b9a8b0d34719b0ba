import { isSecretProperty, SECRET_MASK, type Template } from "#src/domain/template/template.ts";
import { isSealed, type Vault } from "#src/ports/vault.ts";

/** What leaves the product: secrets masked. */
export function masked(template: Template): Template {
  return withProperties(
    template,
    (name, value) => isSecretProperty(name) && value ? SECRET_MASK : value,
  );
}

/** What is stored: secrets sealed; the mask sent back keeps what was stored before. */
export function sealed(
  template: Template,
  { vault, before }: { vault: Vault; before?: Template | undefined },
): Template {
  return withProperties(template, (name, value) => {
    if (!isSecretProperty(name) || !value) return value;
    if (value === SECRET_MASK) return moved(before, { name, vault, to: template.name });
    return vault.seal(value, contextOf(template.name, name));
  });
}

/** What the product works with. */
export function opened(template: Template, vault: Vault): Template {
  return withProperties(
    template,
    (name, value) =>
      isSecretProperty(name) && isSealed(value)
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
