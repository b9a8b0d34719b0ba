import { createRoot } from "react-dom/client";
import { sessionState } from "./api/session.ts";
import { App } from "./shell/app.tsx";
import { returnFocus } from "./components/focus.ts";
import { keepPage } from "./shell/keep_page.ts";

keepPage();
returnFocus();
// A dialog below the sign-in also listens for Escape on the window and would close with its input. This
// listener is registered first and stops the event.
addEventListener("keydown", (it) => {
  if (it.key === "Escape" && sessionState() === "over") it.stopImmediatePropagation();
}, { capture: true });
const root = document.getElementById("root");
document.getElementById("outline")?.remove();
if (root) createRoot(root).render(<App />);
