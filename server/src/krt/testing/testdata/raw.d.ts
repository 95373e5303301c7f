// Recorded cases are imported as text, because code in the engine's folder must not use the file system.
declare module '*.jsonl?raw' {
  const text: string;
  export default text;
}
