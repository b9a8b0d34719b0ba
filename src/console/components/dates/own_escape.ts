/** Attributes of a component that closes by Escape inside a dialog; the dialog stays open. */
export const OWN_ESCAPE = { "data-mantine-stop-propagation": "true" };
