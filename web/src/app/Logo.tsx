// The mark: a change travels along a wire and stops at an equal value.

export function Logo({size = 24}: {size?: number}) {
  return (
    <svg
      className="mark"
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="var(--ink)"
      strokeWidth="1.8"
      role="img"
      aria-label="krtscope"
    >
      <path d="M8.5 3H5.5A2.5 2.5 0 0 0 3 5.5v3M15.5 21h3a2.5 2.5 0 0 0 2.5-2.5v-3" strokeLinecap="round" />
      <circle cx="7.6" cy="12" r="3.4" fill="var(--changed-fill)" stroke="none" />
      <path d="M11 12h2.2" />
      <circle cx="16.4" cy="12" r="2.9" />
    </svg>
  );
}
