// The status bar: what the engine does and what recording costs.
import './status-bar.css';

export function StatusBar() {
  return <footer className="status-bar" />;
}
