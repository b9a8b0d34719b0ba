import { Logo } from "./logo.tsx";

/** Outline of the pages, as the HTML page shows it before the console has loaded. Its styles are in that page. */
export function Outline() {
  return (
    <div className="ps-outline" aria-hidden="true">
      <header>
        <Logo />
      </header>
      <nav>{Array.from({ length: 9 }, (_, at) => <i key={at} />)}</nav>
      <main>
        <b />
        <div>{Array.from({ length: 5 }, (_, at) => <i key={at} />)}</div>
        <p />
      </main>
    </div>
  );
}
