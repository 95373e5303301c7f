// The recorded cases are read as text: the engine's folder may not touch the file system, not even in its tests.
declare module '*.jsonl?raw' {
  const text: string;
  export default text;
}
