import { createRoot } from "react-dom/client";
import { sessionState } from "./api/session.ts";
import { App } from "./shell/app.tsx";
import { keepFocus } from "./shell/keep_focus.ts";
import { keepPage } from "./shell/keep_page.ts";

keepPage();
keepFocus();
// A dialog that waits below the sign-in listens on the window too, and would close with what was typed; who is first is heard.
addEventListener("keydown", (it) => {
  if (it.key === "Escape" && sessionState() === "over") it.stopImmediatePropagation();
}, { capture: true });
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
