/** For what closes by Escape inside a dialog: the dialog stays. */
export const OWN_ESCAPE = { "data-mantine-stop-propagation": "true" };
