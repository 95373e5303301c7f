// The icons: 16 px strokes in the text's colour, for decoration. Text or an aria-label beside them gives the
// meaning.
import type {ReactNode} from 'react';

const paths = {
  overview: <path d="M2.2 11.5a6 6 0 1 1 11.6 0M8 9.5l2.6-3.4M6.4 13h3.2" />,
  sheet: (
    <path d="M2.5 3.5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 6h11M6.4 6v7.5" />
  ),
  graph: (
    <path d="M2 3.4h3.4v3H2zM2 9.6h3.4v3H2zM10.6 6.5H14v3h-3.4zM5.4 4.9h1.4a1.4 1.4 0 0 1 1.4 1.4v.3a1.4 1.4 0 0 0 1.4 1.4h1M5.4 11.1h1.4a1.4 1.4 0 0 0 1.4-1.4v-.3" />
  ),
  why: (
    <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6.3 6.3A1.8 1.8 0 1 1 8.6 8.2c-.4.2-.6.5-.6.9v.2M8 11.3v.1" />
  ),
  lab: <path d="M6 2.2h4M6.8 2.2v4L3 12.6a.8.8 0 0 0 .7 1.2h8.6a.8.8 0 0 0 .7-1.2L9.2 6.2v-4M4.7 10h6.6" />,
  keyboard: (
    <path d="M1.5 5a1 1 0 0 1 1-1h11a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-11a1 1 0 0 1-1-1zM4 6.5h.1M6.6 6.5h.1M9.3 6.5h.1M12 6.5h.1M5 9.5h6" />
  ),
  settings: (
    <path d="M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M3.6 12.4l1.2-1.2M11.2 4.8l1.2-1.2" />
  ),
  search: <path d="M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.2 3.2" />,
  filter: <path d="M2.5 4.5h11M4.5 8h7M6.5 11.5h3" />,
  cube: <path d="M8 1.8l5.4 3v6.4L8 14.2l-5.4-3V4.8zM2.6 4.8L8 7.9l5.4-3.1M8 7.9v6.3" />,
  down: <path d="M4.5 6.5L8 10l3.5-3.5" />,
  right: <path d="M6.5 4.5L10 8l-3.5 3.5" />,
  left: <path d="M9.5 4.5L6 8l3.5 3.5" />,
  up: <path d="M4.5 9.5L8 6l3.5 3.5" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  check: <path d="M3.5 8.5l3 3 6-7" />,
  plus: <path d="M8 3.5v9M3.5 8h9" />,
  minus: <path d="M3.5 8h9" />,
  link: (
    <path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8" />
  ),
  contrast: (
    <>
      <path d="M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11z" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" stroke="none" />
    </>
  ),
  copy: (
    <path d="M5.5 5.5a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1zM3 10.5a.5.5 0 0 1-.5-.5V3a1 1 0 0 1 1-1H10a.5.5 0 0 1 .5.5" />
  ),
  lock: (
    <path d="M3.5 8a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1zM5.4 7V5a2.6 2.6 0 0 1 5.2 0v2" />
  ),
  clock: <path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.8V8l2 1.6" />,
  warning: <path d="M8 2.4l6 10.8H2zM8 6.4v3.2M8 11.4v.1" />,
  swap: <path d="M3 5.5h10M10.5 3L13 5.5M13 10.5H3M5.5 13L3 10.5" />,
  pin: <path d="M6 2.5h4l-.6 4 2.1 2v1H4.5v-1l2.1-2zM8 9.5V14" />,
  widen: <path d="M9.5 2.5h4v4M13.5 2.5l-4.5 4.5M6.5 13.5h-4v-4M2.5 13.5L7 9" />,
  fit: (
    <path d="M2.5 6V3.5a1 1 0 0 1 1-1H6M10 2.5h2.5a1 1 0 0 1 1 1V6M13.5 10v2.5a1 1 0 0 1-1 1H10M6 13.5H3.5a1 1 0 0 1-1-1V10" />
  ),
  play: <path d="M4.5 3.2v9.6l8-4.8z" fill="currentColor" stroke="none" />,
  pause: <path d="M4.5 3.5h2.2v9H4.5zM9.3 3.5h2.2v9H9.3z" fill="currentColor" stroke="none" />,
  first: <path d="M4 4v8M12 4L7.5 8l4.5 4" />,
  last: <path d="M12 4v8M4 4l4.5 4L4 12" />,
  live: <path d="M3.5 4L8 8l-4.5 4M8.5 4L13 8l-4.5 4" />,
  flag: <path d="M3.5 14V2.5h9L10 5.5l2.5 3h-9" />,
  file: <path d="M4 2.5h5l3 3v7a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM9 2.5v3h3" />,
  download: <path d="M8 2.5v7M5 7l3 3 3-3M3 13.5h10" />,
  columns: (
    <path d="M2.5 3.5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM6.2 2.5v11M9.8 2.5v11" />
  ),
  list: <path d="M2.5 4h11M5.5 8h8M5.5 12h8M2.5 8h.1M2.5 12h.1" />,
  eye: (
    <path d="M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z" />
  ),
  person: (
    <path d="M8 7.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM3.8 13c.4-2.4 2-3.6 4.2-3.6s3.8 1.2 4.2 3.6" />
  ),
  bolt: <path d="M9 2L4 9h3.6L7 14l5-7H8.4z" fill="currentColor" stroke="none" />,
  markdown: <path d="M1.8 4.5h12.4v7H1.8zM4 9.5v-3l1.6 1.8L7.2 6.5v3M10.8 6.5v2.8M9.4 8.2l1.4 1.4 1.4-1.4" />,
  target: (
    <path d="M8 13.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z" />
  ),
  refresh: (
    <path d="M13 6.5A5.2 5.2 0 0 0 3.4 5.6M3 9.5a5.2 5.2 0 0 0 9.6.9M3.2 2.8v2.9h2.9M12.8 13.2v-2.9H9.9" />
  ),
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof paths;

export function Icon({name, size = 16}: {name: IconName; size?: number}) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.3}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {paths[name]}
    </svg>
  );
}
