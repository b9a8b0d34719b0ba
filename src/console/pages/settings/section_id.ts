/** In an address: `connectors`, `i18n.sales.fr`. */
export const idOf = (name: string) => name.replaceAll("/", ".");
