export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--ps-primary)" />
      <path
        d="M5 21h22M8 21v-4a8 8 0 0 1 16 0v4M16 9v12"
        fill="none"
        stroke="var(--ps-on-primary)"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  );
}
