/** Line icons on a grid of 24, drawn for this console. */
const PATHS = {
  home: "M4 11l8-7 8 7M6 10v10h4v-6h4v6h4V10",
  invoices: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h5",
  process: "M4 7h11M12 4l3 3-3 3M20 17H9M12 14l-3 3 3 3",
  validate: "M4 12l5 5L20 6",
  received: "M4 13v6h16v-6M12 3v11M8 10l4 4 4-4",
  platform: "M5 19a9 9 0 1 1 14 0M12 15l4-5",
  notifications: "M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4",
  apps: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  finance: "M4 20h16M7 16v-5M12 16V6M17 16v-8",
  jobs: "M12 4a8 8 0 1 0 8 8M12 7v5l3 2M17 3l3 3-3 3",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M8 15v4",
  connections: "M9 7V3M15 7V3M7 7h10v4a5 5 0 0 1-10 0zM12 16v5",
  company: "M4 21V5h10v16M14 10h6v11M2 21h20M8 9h2M8 13h2M8 17h2",
  people:
    "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-5 3-7 7-7s7 2 7 7M16 4a4 4 0 0 1 0 7M18 14c3 1 4 3 4 7",
  assistant: "M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21",
  sun:
    "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2",
  moon: "M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10z",
  user: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-5 3-7 8-7s8 2 8 7",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4 4L19 7",
  warning: "M12 4l9 16H3zM12 10v4M12 17v.5",
  error: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v6M12 7v.5",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3q-1 .6-1 1.7M12 17v.5",
  download: "M12 4v11M8 11l4 4 4-4M5 20h14",
  upload: "M12 15V4M8 8l4-4 4 4M5 20h14",
  columns: "M4 4h16v16H4zM10 4v16M15 4v16",
  send: "M4 12l16-8-6 16-3-6z",
  retry: "M20 12a8 8 0 1 1-3-6M20 3v5h-5",
  print: "M7 8V3h10v5M6 17H4V9h16v8h-2M7 14h10v7H7z",
  back: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  up: "M6 14l6-6 6 6",
  down: "M6 10l6 6 6-6",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 3",
  more: "M5 12v.1M12 12v.1M19 12v.1",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  file: "M6 3h8l4 4v14H6zM14 3v5h4",
  views: "M7 4h10v16l-5-4-5 4z",
  filter: "M4 5h16l-6 8v6l-4-2v-4z",
  link: "M10 14l4-4M8 11l-2 2a3.5 3.5 0 0 0 5 5l2-2M11 8l2-2a3.5 3.5 0 0 1 5 5l-2 2",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
  play: "M7 4l13 8-13 8z",
  stop: "M6 6h12v12H6z",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative icon; its meaning is in the text next to it or in the label of its button. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 3 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
