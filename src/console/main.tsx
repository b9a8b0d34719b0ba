import { createRoot } from "react-dom/client";
import { App } from "./shell/app.tsx";
import { keepPage } from "./shell/keep_page.ts";

keepPage();
const root = document.getElementById("root");
if (root) createRoot(root).render(<App />);
