import { EditorView } from "@codemirror/view";

/**
 * Replaces a selection by the typed text. The browser would copy the look of the selection into an inline
 * style, which the page's CSP blocks.
 */
export const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, isComposing } = event;
    const { main } = view.state.selection;
    if (inputType !== "insertText" || data === null || isComposing) return false;
    if (!event.cancelable) return false; // the browser inserts the text regardless
    if (main.empty || view.state.readOnly) return false;
    event.preventDefault();
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), {
        userEvent: "input.type",
        scrollIntoView: true,
      });
    const isTaken = view.state.facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, data, insert));
    if (!isTaken) view.dispatch(insert());
    return true;
  },
});
