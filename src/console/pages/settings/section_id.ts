/** Returns the id used in addresses: `connectors`, `i18n.sales.fr`. */
export const toSectionId = (name: string) => name.replaceAll("/", ".");
