// Drawn next: see web-notes.
export default function ConnectView() {
  return <div />;
}
