// Drawn next: see web-notes.
export default function Timeline() {
  return <div />;
}
