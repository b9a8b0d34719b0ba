import { EditorView } from "@codemirror/view";

/**
 * What is typed over a selection is put in here: the browser would carry the look of what was selected over into a style of its own
 * making, which the policy of the page refuses.
 */
export const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data, isComposing } = event;
    const { main } = view.state.selection;
    if (inputType !== "insertText" || data === null || isComposing) return false;
    if (!event.cancelable) return false; // the browser puts it in whatever happens here
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
