// The top bar: session, namespace, search, live or paused, share, theme.
import './top-bar.css';

export function TopBar() {
  return <header className="top-bar" />;
}
