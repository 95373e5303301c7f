// Drawn next: see web-notes.
export default function OverviewView() {
  return <div />;
}
