// Drawn next: see web-notes.
export default function Inspector() {
  return <div />;
}
